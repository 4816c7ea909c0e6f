using ScaleOut.Specs;

namespace ScaleOut.Reports.Text;

/// <summary>What a workload's operations are called.</summary>
/// <param name="Plural">Such as <c>Inserts</c>.</param>
/// <param name="One">Such as <c>insert</c>.</param>
/// <param name="Done">Such as <c>Inserted</c>.</param>
/// <param name="Phrase">Such as <c>documents put</c>, in the plural.</param>
/// <param name="OnePhrase">The same in the singular.</param>
/// <param name="AlreadyDone">Such as <c>Already present</c>.</param>
public sealed record WorkloadWords(string Plural, string One, string Done, string Phrase, string OnePhrase, string AlreadyDone)
{
    private static readonly WorkloadWords Inserts = new("Inserts", "insert", "Inserted", "documents put", "document put", "Already present");
    private static readonly WorkloadWords Reads = new("Reads", "read", "Read", "documents read", "document read", "Already read");
    private static readonly WorkloadWords Queries = new("Queries", "query", "Answered", "queries answered", "query answered", "Already answered");
    private static readonly WorkloadWords Deletes = new("Deletes", "delete", "Deleted", "documents deleted", "document deleted", "Already gone");

    /// <summary>The words for a kind of workload.</summary>
    public static WorkloadWords Of(WorkloadKind kind) => kind switch
    {
        WorkloadKind.Read => Reads,
        WorkloadKind.Query => Queries,
        WorkloadKind.Delete => Deletes,
        _ => Inserts,
    };

    /// <summary>A count of what was done, such as <c>1,000 documents put</c>.</summary>
    public string Amount(long count) => $"{Numbers.Count(count)} {(count == 1 ? OnePhrase : Phrase)}";
}
