namespace ScaleOut.Experiments;

/// <summary>Published figures for a variant's settings, shown beside the measured ones. Unpublished figures are null.</summary>
public sealed record PublishedFigures
{
    /// <summary>Documents, rows or requests per second.</summary>
    public double? PerSecond { get; init; }

    /// <summary>Elapsed seconds for the documents of the published run.</summary>
    public double? Seconds { get; init; }

    /// <summary>Documents that <see cref="Seconds"/> were taken for; null means those of the spec.</summary>
    public long? Documents { get; init; }

    /// <summary>Mean latency of an operation, ms.</summary>
    public double? LatencyMeanMs { get; init; }

    /// <summary>96th percentile of an operation's latency, ms.</summary>
    public double? LatencyP96Ms { get; init; }

    /// <summary>TransactionalBatches per second.</summary>
    public double? BatchesPerSecond { get; init; }

    /// <summary>Documents' JSON per second, in 1,000 bytes.</summary>
    public double? KilobytesPerSecond { get; init; }

    public double? RequestUnitsPerOperation { get; init; }

    /// <summary>Requests that the client sent for one operation, such as the pages of a query.</summary>
    public double? CallsPerOperation { get; init; }

    /// <summary>Requests that got a 429.</summary>
    public long? Throttled { get; init; }

    /// <summary>What was written beside the figures, or in place of them.</summary>
    public string? Outcome { get; init; }

    /// <summary>The published rate, or the one that the elapsed time gives.</summary>
    /// <param name="documents">Documents of the variant's spec at full size.</param>
    public double? RateFor(long documents) => PerSecond ?? (Seconds > 0 ? (Documents ?? documents) / Seconds : null);
}
