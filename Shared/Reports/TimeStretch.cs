namespace ScaleOut.Reports;

/// <summary>Whole UTC seconds of a run, one after the other.</summary>
/// <param name="From">Start of the first second.</param>
/// <param name="To">End of the last second.</param>
public sealed record TimeStretch(DateTimeOffset From, DateTimeOffset To);

/// <summary>
/// A time in which a run was interrupted: no leg of any worker has a result in it. It is in no rate, window, bound or chart.
/// </summary>
/// <param name="From">End of the last leg before it.</param>
/// <param name="To">Start of the first leg after it.</param>
/// <param name="ResumedAt">When a new program resumed the run; null where none is noted, as when a host or machine stood still.</param>
public sealed record Interruption(DateTimeOffset From, DateTimeOffset To, DateTimeOffset? ResumedAt = null);
