using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Partitions;
using ScaleOut.Simulator.Engine.Physics;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>What has throughput of its own: a container, or a database whose containers share it.</summary>
internal interface IOfferOwner
{
    /// <summary>Where it stands in lists: databases by number, then containers by number.</summary>
    long Order { get; }

    string OfferRid { get; }

    /// <summary>Null for a container that shares its database's throughput, and for a database that has none.</summary>
    Offer? OwnOffer { get; }

    /// <summary>What is stored under it, as the limits count it.</summary>
    double StoredGigabytes { get; }

    /// <summary>Changes with every replacement of the offer.</summary>
    int Revision { get; }

    string Rid { get; }

    /// <summary>Path by resource ids, with a slash at its end.</summary>
    string SelfLink { get; }

    long TimestampSeconds { get; }

    /// <summary>Changes the throughput at once.</summary>
    /// <exception cref="RequestException">400: throughput buckets for what containers share; 429: they are changed too often.</exception>
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
    private readonly PartitionLayout _layout;

    public SharedThroughput(Offer offer, PartitionLayout layout, AccountClock clock)
    {
        _layout = layout;
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

    /// <summary>Changes the throughput at once; partitions that cannot serve more do not split.</summary>
    public void Rescale(Offer offer)
    {
        Offer = offer;
        double share = _layout.ShareOf(offer.Throughput, _budgets.Length);
        foreach (RequestUnitBudget budget in _budgets)
            budget.Rescale(share);
    }
}
