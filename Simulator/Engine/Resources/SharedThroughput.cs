namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>
/// A database's throughput, in as many budgets as a container of that throughput would have partitions. The partitions of all its
/// containers are assigned to the budgets in turn, because on the service they share machines.
/// </summary>
internal sealed class SharedThroughput
{
    public const int MaxContainers = 25;

    private readonly RequestUnitBudget[] _budgets;
    private readonly PartitionLayout _layout;

    public SharedThroughput(Offer offer, PartitionLayout layout)
    {
        _layout = layout;
        Offer = offer;
        var count = layout.CountFor(offer.Throughput, dense: true);
        _budgets = [.. Enumerable.Range(0, count).Select(_ => layout.CreateBudget((double)offer.Throughput / count, new Lock()))];
    }

    public Offer Offer { get; private set; }

    /// <summary>Partitions of a container without its own throughput.</summary>
    public int Partitions => _budgets.Length;

    public RequestUnitBudget BudgetOf(int ordinal) => _budgets[ordinal % _budgets.Length];

    /// <summary>Changes the throughput at once. Partitions that cannot serve more do not split.</summary>
    public void Rescale_NeedsLock(Offer offer)
    {
        Offer = offer;
        var share = _layout.ShareOf(offer.Throughput, _budgets.Length);
        foreach (var budget in _budgets)
            budget.Rescale(share);
    }
}
