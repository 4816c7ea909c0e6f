namespace ScaleOut.Analysis.Experiments;

/// <summary>The results of an experiment: its measurements, and the verdicts on its findings. Its JSON names are a contract.</summary>
public sealed record ExperimentReport
{
    public required string Id { get; init; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public string? Name { get; init; }

    public required ExperimentState State { get; init; }

    /// <summary>Whether any of the numbers come from the simulated account.</summary>
    public required bool Simulated { get; init; }

    /// <summary>Share of the documents and times that was run; 1 is the full size.</summary>
    public required double Scale { get; init; }

    /// <summary>Start of the first run; if none was started, of the orchestration.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    public required ExperimentSpec Spec { get; init; }

    /// <inheritdoc cref="RunReport.StartedBy"/>
    public string? StartedBy { get; init; }

    /// <summary>The machines of its runs' workers; empty in reports of earlier versions.</summary>
    public IReadOnlyList<MachineKind> Machines { get; init; } = [];

    /// <summary>In the order of the spec.</summary>
    public IReadOnlyList<VariantReport> Variants { get; init; } = [];

    /// <summary>In the order of the spec.</summary>
    public IReadOnlyList<FindingResult> Findings { get; init; } = [];

    /// <summary>Published figures beside measured ones; null when the spec has none.</summary>
    public PublishedComparison? Published { get; init; }

    /// <summary>What was not tested, and why.</summary>
    public IReadOnlyList<NotTestedItem> NotTested { get; init; } = [];

    /// <summary>What a reader must know before trusting the numbers, the most important first.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];
}

/// <summary>A variant or finding that could not be tested.</summary>
/// <param name="What">Such as <c>variant "test 9"</c>.</param>
public sealed record NotTestedItem(string What, string Why);

/// <summary>Whether two variants come in the published order.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<PairVerdict>))]
public enum PairVerdict
{
    /// <summary>The 95% interval of the measured ratio lies on the published side of 1.</summary>
    Agrees,

    /// <summary>The 95% interval lies on the other side of 1.</summary>
    Disagrees,

    /// <summary>The 95% interval contains 1, or is missing because there are no repeats.</summary>
    Undecided,

    /// <summary>No evidence: the simulated account's parameters alone give the ratio, or the same order.</summary>
    Assumed,

    /// <summary>The published rates are within 10% of each other, so they have no order.</summary>
    Tie,

    /// <summary>One of the two was not measured, or this machine's processors set its rate.</summary>
    NotTestable,
}

/// <summary>Published figures beside measured ones. What matters is the order: the machines, networks and years differ.</summary>
public sealed record PublishedComparison
{
    /// <summary>
    /// Spearman's rank correlation of published and measured rates of the variants that this machine can test, -1 to 1; null with fewer
    /// than two of them.
    /// </summary>
    public double? Spearman { get; init; }

    /// <summary>Variants that <see cref="Spearman"/> rests on.</summary>
    public required int Compared { get; init; }

    /// <summary>Every variant with published figures.</summary>
    public IReadOnlyList<PublishedRow> Rows { get; init; } = [];

    /// <summary>Every pair of variants with published rates.</summary>
    public IReadOnlyList<PublishedPair> Pairs { get; init; } = [];

    /// <summary>Number of pairs with a verdict.</summary>
    public int CountOf(PairVerdict verdict) => Pairs.Count(pair => pair.Verdict == verdict);
}

/// <summary>Two variants with published rates.</summary>
public sealed record PublishedPair
{
    /// <summary>The one with the higher published rate.</summary>
    public required string Faster { get; init; }

    public required string Slower { get; init; }

    /// <summary>Published rate of the faster / of the slower, 1 and more.</summary>
    public required double Published { get; init; }

    /// <summary>Ratio of the rates that the specs' budgets and latencies allow; null if these are not known.</summary>
    public double? Expected { get; init; }

    /// <summary>Ratio of the measured rates; null if either variant was not measured.</summary>
    public double? Measured { get; init; }

    /// <summary>95% interval of <see cref="Measured"/>; null without repeats.</summary>
    public Interval? Interval95 { get; init; }

    /// <summary>
    /// Assumed if <see cref="Interval95"/> contains <see cref="Expected"/>, otherwise emergent; measured on a real account. Null without an
    /// interval.
    /// </summary>
    public FindingOrigin? Origin { get; init; }

    /// <summary><see cref="Measured"/> over <see cref="Expected"/>; null without either.</summary>
    public double? MeasuredOverExpected => Expected > 0 ? Measured / Expected : null;

    /// <summary>
    /// The settings in which the two differ, such as <c>client.concurrency (10, 20)</c>. If there are several, the published ratio
    /// shows their joint effect.
    /// </summary>
    public IReadOnlyList<string> Differences { get; init; } = [];

    public required PairVerdict Verdict { get; init; }

    /// <summary>Why it is a tie, not testable or undecided; null otherwise.</summary>
    public string? Reason { get; init; }
}

/// <summary>One variant's published rate beside the measured one.</summary>
public sealed record PublishedRow
{
    public required string Variant { get; init; }

    /// <summary>Per second, as published or by the published elapsed time; null when neither was.</summary>
    public double? Published { get; init; }

    /// <summary>Rate that the spec's budget and latency allow; null if these are not known.</summary>
    public double? Expected { get; init; }

    /// <summary>Null when it was not measured.</summary>
    public Estimate? Measured { get; init; }

    /// <summary>Measured / published.</summary>
    public double? Ratio { get; init; }

    /// <summary>Why the two differ, as far as the run shows it; null when nothing is measured.</summary>
    public string? Difference { get; init; }

    /// <summary>Why this machine cannot test the variant: it was not measured, or processors set its rate. Null if it can.</summary>
    public string? NotTestable { get; init; }
}

/// <summary>
/// The typical value of a figure over a variant's repeats: the geometric mean, with Student's t on the logarithms for its interval.
/// </summary>
public sealed record Estimate
{
    /// <summary>Geometric mean, above 0.</summary>
    public required double Value { get; init; }

    /// <summary>95% interval of <see cref="Value"/>; null with fewer than two repeats.</summary>
    public Interval? Interval95 { get; init; }

    /// <summary>Number of repeats that the estimate rests on.</summary>
    public required int Count { get; init; }

    /// <summary>
    /// Estimates from one value for each repeat; those that are not positive are left out, as they have no logarithm. Null when none is
    /// left.
    /// </summary>
    public static Estimate? From(IEnumerable<double?> values)
    {
        var usable = values.Where(value => value is > 0 && double.IsFinite(value.Value)).Select(value => value!.Value).ToList();
        if (usable.Count == 0)
            return null;
        return new Estimate
        {
            Value = LogSample.From(usable).GeometricMean,
            Count = usable.Count,
            Interval95 = RepeatIntervals.OfMean(usable),
        };
    }
}
