namespace ScaleOut.Analysis.Text;

/// <summary>What a workload's operations are called.</summary>
/// <param name="Phrase">Such as <c>documents written</c>, in the plural.</param>
public sealed record WorkloadWords(string Plural, string One, string Done, string Phrase, string OnePhrase, string AlreadyDone)
{
    /// <summary>What documents are kept in.</summary>
    public string Store { get; private init; } = "container";

    /// <summary>The words for a kind of workload.</summary>
    public static WorkloadWords From(WorkloadKind kind) => kind switch
    {
        WorkloadKind.TableBatch => From(WorkloadKind.Insert) with { Store = "table" },
        WorkloadKind.Read => new("Reads", "read", "Read", "documents read", "document read", "Already read"),
        WorkloadKind.Query => new("Queries", "query", "Completed", "queries completed", "query completed", "Already completed"),
        WorkloadKind.Delete => new("Deletes", "delete", "Deleted", "documents deleted", "document deleted", "Already gone"),
        WorkloadKind.Patch => new("Patches", "patch", "Patched", "documents patched", "document patched", "Already patched"),
        WorkloadKind.Replace => new("Replaces", "replace", "Replaced", "documents replaced", "document replaced", "Already replaced"),
        WorkloadKind.Mix => new("Operations", "operation", "Done", "operations done", "operation done", "Already done"),
        WorkloadKind.Action => new("Actions", "action", "Done", "actions done", "action done", "Already done"),
        _ => new("Inserts", "insert", "Inserted", "documents written", "document written", "Already present"),
    };

    /// <summary>A count of what was done, such as <c>1,000 documents written</c>.</summary>
    public string Amount(long count) => $"{Numbers.Count(count)} {(count == 1 ? OnePhrase : Phrase)}";
}
