namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>
/// A throughput bucket of a container: the requests that name it use at most this share of the throughput together, and nothing is kept
/// for them. Source: Azure Cosmos DB documentation, "Throughput buckets" and its frequently asked questions.
/// </summary>
/// <param name="Id">1 to <see cref="LargestId"/>.</param>
/// <param name="MaxThroughputPercentage">1 to 100.</param>
internal sealed record ThroughputBucket(int Id, int MaxThroughputPercentage)
{
    /// <summary>A container has at most so many buckets, which have no names.</summary>
    public const int LargestId = 5;

    /// <summary>How long after a change of a container's buckets they cannot be changed again.</summary>
    public static readonly TimeSpan TimeBetweenChanges = TimeSpan.FromMinutes(10);
}

/// <summary>What a request says about the budget that it draws on.</summary>
/// <param name="IsLowPriority">Whether it is the first to be throttled.</param>
/// <param name="Bucket">The throughput bucket that it names, 1 to 5; 0 for none.</param>
internal readonly record struct BudgetClaim(bool IsLowPriority, int Bucket);

/// <summary>
/// What the requests of each throughput bucket may use of one physical partition: the bucket's share of the partition's budget, second by
/// second as that is. The service documents a share of the container's throughput; that each partition keeps it by itself, and over which
/// time it is counted, is assumed. Not safe for threads.
/// </summary>
internal sealed class BucketBudgets(RequestUnitBudget whole)
{
    private readonly RequestUnitBudget?[] _byId = new RequestUnitBudget?[ThroughputBucket.LargestId + 1];

    /// <summary>Null for a request of no bucket, and of one that the container does not have: it may use the whole budget.</summary>
    public RequestUnitBudget? this[int id] => _byId[id];

    /// <summary>Gives each bucket its share of what the whole is now.</summary>
    public void Share(IReadOnlyList<ThroughputBucket> buckets, long nowTicks)
    {
        for (int id = 1; id < _byId.Length; id++)
        {
            if (buckets.FirstOrDefault(one => one.Id == id) is not { } bucket)
            {
                _byId[id] = null;
                continue;
            }

            double share = whole.UnitsPerSecond * bucket.MaxThroughputPercentage / 100;
            if (_byId[id] is { } budget)
                budget.Rescale(share);
            else
                _byId[id] = whole.CreatePart(share, nowTicks);
        }
    }
}
