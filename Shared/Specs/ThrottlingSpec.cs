using System.Text.Json.Serialization;

namespace ScaleOut.Specs;

/// <summary>
/// What a 429 of the simulated account says in <c>retry-after</c>: the time until the partition's balance is positive again, times a factor
/// drawn evenly from 1 - <see cref="RetryAfterSpread"/> to 1 + <see cref="RetryAfterSpread"/>, kept within the two bounds.
/// </summary>
/// <remarks>
/// The service documents no formula; its documentation shows <c>x-ms-retry-after-ms: 100</c>. If every 429 named the same instant, all
/// operation loops would come back in the same millisecond, which no real account makes them do. The budget itself stays second by second:
/// the service documents that it evaluates the rate for each second ("Request Units in Azure Cosmos DB").
/// </remarks>
public sealed record ThrottlingSpec
{
    /// <summary>Largest of the two bounds, ms.</summary>
    public const int MostRetryAfterMs = 60_000;

    /// <summary>Whether nothing is throttled, for tests of other programs. No spec sets it.</summary>
    [JsonIgnore]
    public bool IsOff { get; init; }

    /// <summary>Shortest <c>retry-after</c>, 1 to 60,000 ms. Default 10, assumed.</summary>
    public int RetryAfterMinMs { get; init; } = 10;

    /// <summary>
    /// Longest <c>retry-after</c>, from <see cref="RetryAfterMinMs"/> to 60,000 ms. Default 1,000, assumed: after a second there is a new
    /// budget, and who is throttled again asks again.
    /// </summary>
    public int RetryAfterMaxMs { get; init; } = 1_000;

    /// <summary>How far the factor goes to either side, 0 to 1. Default 0.5, assumed; 0 always names the true time.</summary>
    public double RetryAfterSpread { get; init; } = 0.5;
}
