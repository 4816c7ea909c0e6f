namespace ScaleOut.Measurement;

/// <summary>What one leg did to one physical partition, attributed by the hash of each document's partition key.</summary>
public sealed record PartitionSample
{
    /// <summary>First effective partition key of the range, hexadecimal; empty for the lowest.</summary>
    public required string Min { get; init; }

    /// <summary>Effective partition key after the range; <c>FF</c> for the highest.</summary>
    public required string Max { get; init; }

    /// <summary>Documents inserted.</summary>
    public long Documents { get; init; }

    /// <summary>Operations answered 429.</summary>
    public long Throttled { get; init; }

    /// <summary>RU charged.</summary>
    public double RequestUnits { get; init; }

    /// <summary>The UTC second (since 1970) of the first entry of <see cref="RequestUnitsPerSecond"/>.</summary>
    public long FirstSecond { get; init; }

    /// <summary>RU charged in each second from <see cref="FirstSecond"/> on.</summary>
    public IReadOnlyList<double> RequestUnitsPerSecond { get; init; } = [];
}
