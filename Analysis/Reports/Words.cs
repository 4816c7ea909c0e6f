namespace ScaleOut.Analysis.Reports;

/// <summary>Small phrases that every form of the report shares.</summary>
public static class Words
{
    /// <summary>A clause as the beginning of a sentence.</summary>
    public static string Capital(string clause) => char.ToUpperInvariant(clause[0]) + clause[1..];

    /// <summary>A count with its noun, such as <c>1 worker</c> or <c>2,000 workers</c>.</summary>
    public static string Amount(long count, string noun) =>
        $"{Numbers.Count(count)} {(count == 1 ? noun : noun.EndsWith("ry", StringComparison.Ordinal) ? $"{noun[..^1]}ies" : $"{noun}s")}";

    /// <summary>Names workers, with consecutive indices combined: <c>Worker 3</c>, <c>Workers 0-3, 7</c>.</summary>
    public static string Workers(IReadOnlyList<int> indices)
    {
        var workers = NumberSet.From(indices.Select(index => new NumberRange(index, 1)));
        var parts = workers.Ranges.Select(range => range.Count == 1 ? $"{range.First}" : $"{range.First}-{range.End - 1}");
        return $"{(workers.Count == 1 ? "Worker" : "Workers")} {string.Join(", ", parts)}";
    }

    /// <summary>What bound a run, such as <c>request units</c>.</summary>
    public static string From(BoundBy? bound) => bound switch
    {
        BoundBy.Errors => "errors",
        BoundBy.RequestUnits => "request units",
        BoundBy.Partition => "one physical partition",
        BoundBy.Client => "the clients' CPU",
        BoundBy.Machine => "the machine",
        BoundBy.Rate => "the rate asked for",
        BoundBy.Latency => "latency",
        _ => "what is not known",
    };
}
