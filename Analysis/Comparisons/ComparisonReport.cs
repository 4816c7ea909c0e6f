namespace ScaleOut.Analysis.Comparisons;

/// <summary>What differs between two runs, or between two experiments.</summary>
public sealed record ComparisonReport
{
    /// <summary>Id of the first report.</summary>
    public required string A { get; init; }

    /// <summary>Id of the second report.</summary>
    public required string B { get; init; }

    /// <summary>Whether any of the figures come from the simulated account.</summary>
    public required bool Simulated { get; init; }

    /// <summary>Which figures of the two are not valid, and why. Such rates and latencies are not compared.</summary>
    public IReadOnlyList<InvalidFigures> Invalid { get; init; } = [];

    /// <summary>What differs, in sentences.</summary>
    public IReadOnlyList<string> Result => ComparisonSentences.Result(this);

    public IReadOnlyList<ComparisonRow> Rows { get; init; } = [];

    /// <summary>Settings in which the two differ, such as <c>client.concurrency: 10, 20</c>.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];

    /// <summary>Verdicts of the findings that both experiments test, with where each effect comes from; empty for runs.</summary>
    public IReadOnlyList<string> Findings { get; init; } = [];

    /// <summary>What a reader must know before trusting the verdicts.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>One figure of two reports.</summary>
public sealed record ComparisonRow
{
    /// <summary>Name of the figure, such as <c>documents per second</c>, after the variant's name if there is one.</summary>
    public required string Figure { get; init; }

    public double? A { get; init; }

    public double? B { get; init; }

    /// <summary>B / A; null if one is not known or is 0.</summary>
    public double? Ratio { get; init; }

    /// <summary>95% interval of <see cref="Ratio"/>; null if nothing is known of the noise.</summary>
    public Interval? Interval95 { get; init; }

    /// <summary>90% interval of <see cref="Ratio"/>, which shows sameness; null if nothing is known of the noise.</summary>
    public Interval? Interval90 { get; init; }

    public required ComparisonVerdict Verdict { get; init; }

    /// <summary>What the interval rests on, or why there is none.</summary>
    public required string Basis { get; init; }

    /// <summary>A row of two figures, with its verdict by the interval.</summary>
    /// <param name="a">The figure in the first report.</param>
    /// <param name="b">The figure in the second report.</param>
    /// <param name="effect">B / A with its noise; null if nothing is known of it.</param>
    /// <param name="basis">What the interval rests on, or why there is none.</param>
    public static ComparisonRow From(string figure, double? a, double? b, RatioEffect? effect, string basis)
    {
        var interval = effect?.At();
        return new ComparisonRow
        {
            Figure = figure,
            A = a,
            B = b,
            Ratio = effect?.Ratio ?? (a > 0 && b > 0 ? b / a : null),
            Interval95 = interval,
            Interval90 = effect?.At(Equivalence.Confidence),
            Verdict = VerdictOn(effect),
            Basis = basis,
        };
    }

    private static ComparisonVerdict VerdictOn(RatioEffect? effect)
    {
        if (effect is null)
            return ComparisonVerdict.NotKnown;
        if (!effect.At().Contains(1))
            return ComparisonVerdict.Differs;
        return Equivalence.IsShown(effect, Equivalence.NegligibleBand) ? ComparisonVerdict.Same : ComparisonVerdict.NoDifferenceShown;
    }
}

/// <summary>Whether two figures differ.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<ComparisonVerdict>))]
public enum ComparisonVerdict
{
    /// <summary>The 95% interval of their ratio does not contain 1.</summary>
    Differs,

    /// <summary>
    /// The 95% interval contains 1, and the 90% interval lies within 0.95 to 1.0526, so that any difference is too small to matter (two
    /// one-sided tests).
    /// </summary>
    Same,

    /// <summary>The 95% interval contains 1. Too much noise, or too few repeats, leave room for a difference that matters.</summary>
    NoDifferenceShown,

    /// <summary>There is no interval to decide by.</summary>
    NotKnown,
}

/// <summary>A <c>report.json</c>, of a run or of an experiment; exactly one of the two is set.</summary>
public sealed record ReportFile(RunReport? Run, ExperimentReport? Experiment)
{
    /// <summary>Reads a report. Its fields show which kind of report it is.</summary>
    /// <exception cref="JsonException">The JSON is neither kind of report.</exception>
    public static ReportFile Read(ReadOnlyMemory<byte> json)
    {
        using var document = JsonDocument.Parse(json);
        var root = document.RootElement;
        if (root.ValueKind != JsonValueKind.Object)
            throw new JsonException("a report is a JSON object");
        if (root.TryGetProperty("variants", out _))
            return new ReportFile(null, ExperimentForms.Kind.Read(json));
        return root.TryGetProperty("throughput", out _)
            ? new ReportFile(RunForms.Kind.Read(json), null)
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
