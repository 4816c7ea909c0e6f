namespace ScaleOut.Experiments.Reporting;

/// <summary>One variant's published rate beside the measured one.</summary>
public sealed record PublishedRow
{
    public required string Variant { get; init; }

    /// <summary>Per second, as published or by the published elapsed time; null when neither was.</summary>
    public double? Published { get; init; }

    /// <summary>Rate that budget and latency allow by the plan; null where they are not known.</summary>
    public double? Expected { get; init; }

    /// <summary>Null when it was not measured.</summary>
    public Estimate? Measured { get; init; }

    /// <summary>Measured / published.</summary>
    public double? Ratio { get; init; }

    /// <summary>Why the two differ, as far as the run tells; null when nothing is measured.</summary>
    public string? Difference { get; init; }

    /// <summary>Why it was not measured; null when it was.</summary>
    public string? NotTestable { get; init; }
}
