namespace ScaleOut.Measurement;

/// <summary>What all legs together did to one range of effective partition keys.</summary>
public sealed record MergedPartition
{
    /// <summary>First effective partition key of the range, hexadecimal; empty for the lowest.</summary>
    public required string Min { get; init; }

    /// <summary>Effective partition key after the range.</summary>
    public required string Max { get; init; }

    /// <summary>Documents inserted.</summary>
    public required long Documents { get; init; }

    /// <summary>Attempts answered 429.</summary>
    public required long Throttled { get; init; }

    /// <summary>RU charged.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>RU charged by UTC second, ascending; seconds without a charge are not in it.</summary>
    public required IReadOnlyDictionary<long, double> PerSecond { get; init; }

    /// <summary>Ranges that stood beside it, itself included: the container's RU/s are shared by so many.</summary>
    public required int Siblings { get; init; }

    /// <summary>Whether a split replaced it by smaller ranges while the run lasted.</summary>
    public required bool Superseded { get; init; }
}
