namespace ScaleOut.Analysis.Comparisons;

/// <summary>A <c>report.json</c>, of a run or of an experiment; exactly one of the two is set.</summary>
public sealed record ReportFile(RunReport? Run, ExperimentReport? Experiment)
{
    /// <summary>Reads a report by what is in it.</summary>
    /// <exception cref="JsonException">It is neither.</exception>
    public static ReportFile Read(ReadOnlyMemory<byte> json)
    {
        using var document = JsonDocument.Parse(json);
        var root = document.RootElement;
        if (root.ValueKind != JsonValueKind.Object)
            throw new JsonException("a report is a JSON object");
        if (root.TryGetProperty("variants", out _))
            return new ReportFile(null, ExperimentForms.Kind.Read(json.Span));
        return root.TryGetProperty("throughput", out _)
            ? new ReportFile(RunForms.Kind.Read(json.Span), null)
            : throw new JsonException("it has neither the figures of a run nor the variants of an experiment");
    }

    /// <summary>What differs between two reports; null if one is of a run and the other of an experiment.</summary>
    public static ComparisonReport? Compare(ReportFile a, ReportFile b) => (a, b) switch
    {
        ({ Run: { } one }, { Run: { } other }) => RunComparison.From(one, other),
        ({ Experiment: { } one }, { Experiment: { } other }) => ExperimentComparison.From(one, other),
        _ => null,
    };
}
