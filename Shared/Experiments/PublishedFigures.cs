namespace ScaleOut.Experiments;

/// <summary>Published figures for a variant's settings, shown beside the measured ones. Unpublished figures are null.</summary>
public sealed record PublishedFigures
{
    private const double MaxFigure = 1e12;

    [SpecField("Documents, rows or requests per second.", Min = 0, AboveMin = true, Max = MaxFigure)]
    public double? PerSecond { get; init; }

    [SpecField("Elapsed seconds; they give the rate where perSecond is left out.", Min = 0, AboveMin = true, Max = MaxFigure)]
    public double? Seconds { get; init; }

    [SpecField("Documents that the seconds were taken for; the spec's when left out.", Min = 1, Max = RunSpec.MaxDocuments)]
    public long? Documents { get; init; }

    [SpecField("Mean latency of an operation.", Min = 0, AboveMin = true, Max = MaxFigure)]
    public double? LatencyMeanMs { get; init; }

    [SpecField("96th percentile of an operation's latency.", Min = 0, AboveMin = true, Max = MaxFigure)]
    public double? LatencyP96Ms { get; init; }

    [SpecField("TransactionalBatches per second.", Min = 0, AboveMin = true, Max = MaxFigure)]
    public double? BatchesPerSecond { get; init; }

    [SpecField("Documents' JSON per second, in 1,000 bytes.", Min = 0, AboveMin = true, Max = MaxFigure)]
    public double? KilobytesPerSecond { get; init; }

    [SpecField("RU of an operation.", Min = 0, AboveMin = true, Max = MaxFigure)]
    public double? RequestUnitsPerOperation { get; init; }

    [SpecField("Requests that the client sent for one operation, such as the pages of a query.",
        Min = 0, AboveMin = true, Max = MaxFigure)]
    public double? CallsPerOperation { get; init; }

    [SpecField("Requests that got a 429.", Min = 0, Max = MaxFigure)]
    public long? Throttled { get; init; }

    [SpecField("What was written beside the figures, or in place of them.", MaxLength = 400)]
    public string? Outcome { get; init; }

    /// <summary>The published rate, or the one that the elapsed time gives.</summary>
    /// <param name="documents">Documents of the variant's spec at full size.</param>
    public double? RateFor(long documents) => PerSecond ?? (Seconds > 0 ? (Documents ?? documents) / Seconds : null);
}
