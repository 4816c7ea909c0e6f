namespace ScaleOut.Progress;

/// <summary>What a leg has done so far to one physical partition.</summary>
/// <param name="Min">First effective partition key of the range, hexadecimal; empty for the lowest.</param>
/// <param name="Max">Effective partition key after the range; <c>FF</c> for the highest.</param>
/// <param name="RequestUnits">RU charged.</param>
/// <param name="Throttled">Operations answered 429.</param>
public sealed record PartitionProgress(string Min, string Max, double RequestUnits, long Throttled);
