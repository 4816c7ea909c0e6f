namespace ScaleOut.Workers.Measuring;

/// <summary>What a leg has come to so far.</summary>
public readonly record struct LegTotals(long Inserted, long AlreadyPresent, long Failed, long Attempts, long Throttled, double RequestUnits);
