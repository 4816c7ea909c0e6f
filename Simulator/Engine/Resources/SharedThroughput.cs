using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Physics;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>What has throughput of its own: a container, or a database whose containers share it.</summary>
internal interface IOfferOwner
{
    string OfferRid { get; }

    /// <summary>Null for a container that shares its database's throughput, and for a database that has none.</summary>
    Offer? OwnOffer { get; }

    /// <summary>Changes with every replacement of the offer.</summary>
    int Revision { get; }

    string Rid { get; }

    /// <summary>Path by resource ids, with a slash at its end.</summary>
    string SelfLink { get; }

    long TimestampSeconds { get; }

    /// <summary>Changes the throughput at once.</summary>
    void Rescale(Offer offer);
}

/// <summary>
/// The throughput of a database, cut into as many budgets as a container of that throughput would have partitions. The partitions of all
/// its containers draw on them in turn, as they lie on the same machines of the service.
/// </summary>
internal sealed class SharedThroughput
{
    /// <summary>Containers of one database that may share its throughput.</summary>
    public const int MostContainers = 25;

    private readonly RequestUnitBudget[] _budgets;

    public SharedThroughput(Offer offer, PartitionLayout layout, AccountClock clock)
    {
        Offer = offer;
        int count = layout.CountFor(offer.Throughput, dense: true);
        _budgets = [.. Enumerable.Range(0, count).Select(
            _ => RequestUnitBudget.CreateShared((double)offer.Throughput / count, layout.Burst, clock.NowTicks, layout.RetryAfter))];
    }

    public Offer Offer { get; private set; }

    /// <summary>Partitions of a container without throughput of its own.</summary>
    public int Partitions => _budgets.Length;

    /// <summary>What a container's partition draws on.</summary>
    public RequestUnitBudget BudgetOf(int ordinal) => _budgets[ordinal % _budgets.Length];

    public void Rescale(Offer offer)
    {
        Offer = offer;
        foreach (RequestUnitBudget budget in _budgets)
            budget.Rescale((double)offer.Throughput / _budgets.Length);
    }
}
