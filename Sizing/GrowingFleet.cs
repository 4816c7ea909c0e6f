namespace ScaleOut.Sizing;

/// <summary>What a fleet and its container become, and cost, while documents are added.</summary>
/// <param name="best">The fleet that was found.</param>
internal sealed class GrowingFleet(FleetTrials trials, TriedFleet best)
{
    /// <summary>The fleet that holds once the documents that are kept have split the container.</summary>
    public StorageGrowth Grown()
    {
        var growth = trials.Growth;
        var splits = growth.Partitions > best.Settings.Partitions;
        // Queries find more where more is stored.
        if ((!splits && !(growth.Adds && trials.Basis.Queries is not null)) || growth.FullKey is not null)
            return growth;
        var grown = trials.Storing(growth.Gigabytes, Math.Max(best.Settings.Partitions, growth.Partitions));
        var fleet = new FleetSearch(grown).Cheapest();
        return growth with { Splits = splits, IsSoughtAgain = true, Fleet = fleet };
    }

    /// <summary>The bill once all documents that are kept are stored; null if it is the first one, or if no fleet holds then.</summary>
    public MonthCost? CostOf(StorageGrowth growth) =>
        !growth.Adds || growth.FullKey is not null ? null
        : !growth.IsSoughtAgain ? trials.MonthOf(best.Settings, growth.Gigabytes)
        : growth.Fleet is { } fleet ? trials.MonthOf(fleet.Settings, growth.Gigabytes) : null;

    /// <summary>The bill at the start and after each further month.</summary>
    public IEnumerable<MonthPoint> MonthsOf(StorageGrowth growth)
    {
        var settings = best.Settings;
        const int MostMonths = 12;
        const double DaysOfMonth = MonthCost.Hours / DailyLoad.Hours;
        if (!growth.Adds || growth.FullKey is not null || (growth.IsSoughtAgain && growth.Fleet is null))
            yield break;
        var most = growth.RetentionDays is null ? double.PositiveInfinity : growth.Gigabytes;
        for (var (month, stored) = (0, -1.0); month <= MostMonths && stored < most; month++)
        {
            stored = Math.Min(most, growth.GigabytesAtOnce + (month * DaysOfMonth * growth.GigabytesPerDay));
            // No fleet was sought for further splits.
            if (trials.Keys.PartitionsFor(stored) > Math.Max(settings.Partitions, growth.Partitions))
                yield break;
            // No fleet was sought in between, or later. What splits and queries take grows with what is stored.
            var (on, grown) = (settings, growth.Fleet?.Settings);
            if (grown is not null)
            {
                var share = (stored - growth.GigabytesAtOnce) / (growth.Gigabytes - growth.GigabytesAtOnce);
                var units = settings.Throughput
                    + ((trials.Basis.Queries is null ? Math.Min(1, share) : share) * (grown.Throughput - settings.Throughput));
                if (units > grown.Partitions * (double)SimulationSpec.MaxRequestUnitsPerPartition)
                    yield break;
                on = (share > 0 ? grown : settings) with
                {
                    Throughput = StorageNeeds.RoundUp(units, trials.Basis.Spec.Container.Autoscale),
                };
            }

            var cost = trials.MonthOf(on, stored);
            yield return new MonthPoint(month, Math.Round(stored, 3), cost.CheapestThroughput, cost.Compute, cost.Storage ?? 0);
        }
    }
}
