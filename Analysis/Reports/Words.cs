namespace ScaleOut.Analysis.Reports;

/// <summary>Small phrases that every form of the report shares.</summary>
public static class Words
{
    /// <summary>A count with its noun, such as <c>1 worker</c> or <c>2,000 workers</c>.</summary>
    public static string Amount(long count, string noun) => $"{Numbers.Count(count)} {noun}{(count == 1 ? "" : "s")}";

    /// <summary>Names workers, with consecutive indices combined: <c>Worker 3</c>, <c>Workers 0-3, 7</c>.</summary>
    public static string Workers(IReadOnlyList<int> indices)
    {
        var sorted = indices.Distinct().Order().ToList();
        var parts = new List<string>();
        for (var i = 0; i < sorted.Count;)
        {
            var last = i;
            while (last + 1 < sorted.Count && sorted[last + 1] == sorted[last] + 1)
                last++;
            parts.Add(last == i
                ? sorted[i].ToString(CultureInfo.InvariantCulture)
                : string.Create(CultureInfo.InvariantCulture, $"{sorted[i]}-{sorted[last]}"));
            i = last + 1;
        }

        return $"{(sorted.Count == 1 ? "Worker" : "Workers")} {string.Join(", ", parts)}";
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
