namespace ScaleOut.Analysis.Experiments;

public sealed record VariantReport
{
    public required string Name { get; init; }

    /// <summary>The spec that was run, at the experiment's scale and without an id.</summary>
    public required RunSpec Plan { get; init; }

    /// <summary>Documents of the spec at full size.</summary>
    public required long FullDocuments { get; init; }

    /// <summary>The spec's free text; null when it has none.</summary>
    public string? Notes { get; init; }

    /// <summary>Null when nothing was published for these settings.</summary>
    public PublishedFigures? Published { get; init; }

    /// <summary>
    /// Rate that the spec's RU budget and latency allow if clients cost no time; null if budget or latency is not known.
    /// </summary>
    public double? ExpectedRate { get; init; }

    /// <summary>Documents (queries: operations) per second over the runs that are counted; null when no run is usable.</summary>
    public Estimate? Rate { get; init; }

    public Estimate? MeanLatencyMs { get; init; }

    public Estimate? P96LatencyMs { get; init; }

    public Estimate? RequestUnitsPerOperation { get; init; }

    public Estimate? CallsPerOperation { get; init; }

    /// <summary>Every run that the spec asks for and that the experiment got to, in the order in which they ran.</summary>
    public IReadOnlyList<RunDigest> Runs { get; init; } = [];

    /// <summary>Why nothing is measured; null when something is.</summary>
    public string? NotMeasured { get; init; }

    /// <summary>Complete runs with a rate.</summary>
    [JsonIgnore]
    public IReadOnlyList<RunDigest> Usable => [.. Runs.Where(run => run.Figures is { IsUsable: true })];

    /// <summary>
    /// Runs that the variant's figures and their comparisons rest on: those that count for findings about rates. If no run counts, these
    /// are all usable runs, and <see cref="NothingCounts"/> says why.
    /// </summary>
    [JsonIgnore]
    public IReadOnlyList<RunDigest> Counted
    {
        get
        {
            var counted = Measured.Usable.Select(figures => figures.RunId).ToHashSet(StringComparer.Ordinal);
            return counted.Count == 0 ? Usable : [.. Usable.Where(run => counted.Contains(run.RunId))];
        }
    }

    /// <summary>Why no run may be compared; null when at least one may.</summary>
    [JsonIgnore]
    public string? NothingCounts => NotMeasured ?? Measured.NothingUsable;

    /// <summary>The figures that findings rest on.</summary>
    internal MeasuredVariant Measured => new(Name, Plan, [.. Runs.Select(run => run.Figures).OfType<RunFigures>()], Runs.Count);
}
