namespace ScaleOut.Workers.Operations;

/// <summary>The requests that the SDK sent for a query over some time.</summary>
/// <param name="Requests">All of them: query plans, and a page of a physical partition each.</param>
/// <param name="Pages">Without the query plans.</param>
/// <param name="Throttled">Pages answered 429.</param>
/// <param name="Items">Documents on the pages.</param>
/// <param name="RequestUnits">RU charged, by physical partition.</param>
/// <param name="ThrottledOf">Pages answered 429, by physical partition.</param>
public sealed record QueryCalls(long Requests, long Pages, long Throttled, long Items, IReadOnlyList<double> RequestUnits, IReadOnlyList<long> ThrottledOf);
