namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>
/// A throughput bucket of a container: requests that name it share at most this part of the throughput; nothing is reserved for them.
/// Source: Azure Cosmos DB documentation, "Throughput buckets" and its frequently asked questions.
/// </summary>
internal sealed record ThroughputBucket(int Id, int MaxThroughputPercentage)
{
    public const int MaxId = 5;

    /// <summary>Time after a change of a container's buckets in which they cannot be changed again.</summary>
    public static readonly TimeSpan TimeBetweenChanges = TimeSpan.FromMinutes(10);
}

/// <summary>
/// The budgets of the throughput buckets in one physical partition. The service documents a share of the container's throughput. It is
/// assumed that each partition applies the share by itself in each second. Not thread-safe.
/// </summary>
internal sealed class BucketBudgets(RequestUnitBudget whole)
{
    private readonly RequestUnitBudget?[] _byId = new RequestUnitBudget?[ThroughputBucket.MaxId + 1];

    /// <summary>Null for no bucket, or for one that the container does not have: the request may use the whole budget.</summary>
    public RequestUnitBudget? this[int id] => _byId[id];

    /// <summary>Sets each bucket's share of the whole.</summary>
    public void Share(IReadOnlyList<ThroughputBucket> buckets, long nowTicks)
    {
        for (var id = 1; id < _byId.Length; id++)
        {
            if (buckets.FirstOrDefault(one => one.Id == id) is not { } bucket)
            {
                _byId[id] = null;
                continue;
            }

            var share = whole.UnitsPerSecond * bucket.MaxThroughputPercentage / 100;
            if (_byId[id] is { } budget)
                budget.Rescale(share);
            else
                _byId[id] = whole.CreatePart(share, nowTicks);
        }
    }
}
