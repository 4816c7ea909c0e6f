namespace ScaleOut.Sizing;

/// <summary>A number of physical partitions, and the RU/s that may be enough on them.</summary>
/// <param name="Least">RU/s below which what the busiest partition has to do is more than its share.</param>
/// <param name="Most">The most RU/s that the partitions can have.</param>
/// <param name="Room">The busiest partition's share of the most RU/s, as a multiple of what it has to do.</param>
/// <param name="Likely">RU/s with which random arrivals have some room, to begin the search where they are fewest.</param>
internal sealed record PartitionChoice(int Partitions, int Least, int Most, double Room, double Likely)
{
    /// <summary>Factor on the least RU/s with which throttling is mostly not what keeps a fleet from holding.</summary>
    public const double AmpleRoom = 2.5;

    /// <summary>
    /// Largest share of the busiest partition's RU/s that is used on average. Operations reach several partitions at random, and closer to
    /// 1 the waits grow for minutes. One partition whose operations come at even distances has none of that.
    /// </summary>
    private const double MaxUsed = 0.99;

    /// <summary>Number of partitions up to which each number is tried. Above it, the numbers grow by <see cref="Growth"/>.</summary>
    private const int EachUpTo = 64;

    private const double Growth = 1.08;

    public int Ample => (int)Math.Min(Most, Math.Max(Least, Math.Floor(Least * AmpleRoom / 100) * 100));

    /// <summary>
    /// The numbers of partitions on which the rate may hold, those that are likely to take the fewest RU/s first; empty if there are none.
    /// </summary>
    public static IReadOnlyList<PartitionChoice> All(FleetTrials trials)
    {
        var (spec, question) = (trials.Basis.Spec, trials.Question);
        var autoscale = spec.Container.Autoscale;
        return
        [
            .. Numbers(trials).Select(LayoutOf).OfType<PartitionChoice>().OrderBy(one => one.Likely)
                .ThenBy(one => one.Partitions == CreatedWith(trials, one.Least) ? 0 : 1).ThenBy(one => one.Partitions),
        ];

        PartitionChoice? LayoutOf(int partitions)
        {
            var used = trials.UsedOn(partitions);
            var busiest = used * trials.Keys.BusiestPartition(partitions, trials.SharesOn(partitions));
            var all = busiest * partitions;
            var isRandom = partitions > 1 || !question.EvenArrivals;
            var least = Math.Max(all / (isRandom ? MaxUsed : 1), used / (1 - (question.Headroom ?? 0)));
            var stored = StorageNeeds.MinThroughput(trials.Growth.GigabytesAtOnce, autoscale);
            var most = Math.Min((long)partitions * SimulationSpec.MaxRequestUnitsPerPartition, ContainerSpec.MaxThroughput);
            if (question.KeepsThroughput)
            {
                var given = spec.Container.Throughput;
                return given > most ? null : new PartitionChoice(partitions, given, given, given / all, given);
            }

            var fewest = Math.Max(stored, StorageNeeds.RoundUp(Math.Min(least, int.MaxValue / 2), autoscale));
            return fewest <= most ? new PartitionChoice(partitions, fewest, (int)most, most / all, Likely()) : null;

            // One standard deviation of the RU that come in a second. On more partitions each has fewer operations, and needs more for one.
            double Likely() => Math.Max(
                fewest, all + (partitions * Math.Sqrt(busiest * trials.Basis.ChargeOn(partitions) * spec.Workload.DocumentsPerOperation)));
        }
    }

    /// <summary>
    /// The partitions of a container that is created with so many RU/s and then gets the documents that are there; of one that is there,
    /// those that it has then.
    /// </summary>
    public static int CreatedWith(FleetTrials trials, int throughput)
    {
        var container = trials.Basis.Spec.Container;
        var there = trials.Question.OnPartitions;
        return trials.Basis.Spec.Simulation?.PhysicalPartitions ?? Math.Max(
            SimulationSpec.ServicePartitionsFor(throughput, container.IsDense || there is not null),
            Math.Max(there ?? 1, trials.Growth.PartitionsAtOnce));
    }

    private static IEnumerable<int> Numbers(FleetTrials trials)
    {
        const int PerPartition = SimulationSpec.MaxRequestUnitsPerPartition;
        var (spec, question) = (trials.Basis.Spec, trials.Question);
        var least = (int)Math.Ceiling((question.KeepsThroughput ? spec.Container.Throughput : trials.Used) / PerPartition);
        if (spec.Simulation?.PhysicalPartitions is { } given)
            return [Math.Max(given, least)];
        var fewest = Math.Max(Math.Max(question.OnPartitions ?? 1, least), trials.Growth.PartitionsAtOnce);
        if (question.KeepsThroughput)
        {
            var created = CreatedWith(trials, spec.Container.Throughput);
            return Range(Math.Min(fewest, created), created);
        }

        // With more, each partition can have fewer RU/s.
        const int Most = ContainerSpec.MaxThroughput / PerPartition;
        var natural = CreatedWith(trials, StorageNeeds.RoundUp(trials.Used, spec.Container.Autoscale));
        return Range(fewest, Math.Max(fewest, Most)).Append(Math.Max(fewest, natural)).Distinct();
    }

    private static IEnumerable<int> Range(int from, int to)
    {
        for (var number = from; number <= to; number = Math.Max(number + 1, number < EachUpTo ? 0 : (int)(number * Growth)))
            yield return number;
    }
}
