namespace ScaleOut.Experiments.Reporting;

/// <summary>Two variants with published rates.</summary>
public sealed record PublishedPair
{
    /// <summary>The one with the higher published rate.</summary>
    public required string Faster { get; init; }

    public required string Slower { get; init; }

    /// <summary>Published rate of the faster / of the slower, 1 and more.</summary>
    public required double Published { get; init; }

    /// <summary>The same of the rates that the plans' budgets and latencies allow; null where they are not known.</summary>
    public double? Expected { get; init; }

    /// <summary>The same of the measured rates; null when one is not measured.</summary>
    public double? Measured { get; init; }

    public required PairVerdict Verdict { get; init; }

    /// <summary>Why it is a tie or not testable; null otherwise.</summary>
    public string? Reason { get; init; }
}
