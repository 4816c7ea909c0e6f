namespace ScaleOut.DevBox.Sizing;

/// <summary>A number of physical partitions, and the RU/s that may be enough on them.</summary>
/// <param name="Least">RU/s below which what the busiest partition has to do is more than its share.</param>
/// <param name="Most">Most RU/s that are tried: 10,000 for each partition, or several times the least.</param>
internal sealed record PartitionChoice(int Partitions, int Least, int Most)
{
    /// <summary>Factor on the least RU/s with which throttling is not what keeps a fleet from holding.</summary>
    public const double AmpleRoom = 2.5;

    /// <summary>Most RU/s that are tried, as a multiple of the least.</summary>
    private const double MaxRoom = 4;

    /// <summary>
    /// Largest share of the busiest partition's RU/s that is used on average. Operations reach several partitions at random, and closer to
    /// 1 the waits grow for minutes. One partition gets them by schedule and has none of that.
    /// </summary>
    private const double MaxUsed = 0.99;

    /// <summary>Number of partitions up to which each number is tried. Above it, the numbers grow by <see cref="Growth"/>.</summary>
    private const int EachUpTo = 64;

    private const double Growth = 1.08;

    /// <summary>Most RU/s to the least ones.</summary>
    public double Room => Most / (double)Least;

    public int Ample => (int)Math.Min(Most, Math.Max(Least, Math.Floor(Least * AmpleRoom / 100) * 100));

    /// <summary>The numbers of partitions on which the rate may hold, those with the fewest RU/s first; empty if there are none.</summary>
    public static IReadOnlyList<PartitionChoice> All(FleetTrials trials)
    {
        var (spec, question) = (trials.Basis.Spec, trials.Question);
        var autoscale = spec.Container.Autoscale;
        var readShare = trials.ReadShare;
        return
        [
            .. Numbers(trials).Select(LayoutOf).OfType<PartitionChoice>().OrderBy(one => one.Least)
                .ThenBy(one => one.Partitions == CreatedWith(trials, one.Least) ? 0 : 1).ThenBy(one => one.Partitions),
        ];

        PartitionChoice? LayoutOf(int partitions)
        {
            var busiest = trials.Used * trials.Keys.BusiestPartition(partitions, readShare);
            var least = Math.Max(
                busiest * partitions / (partitions > 1 ? MaxUsed : 1), trials.Used / (1 - (question.Headroom ?? 0)));
            var stored = StorageNeeds.MinThroughput(trials.Growth.GigabytesAtOnce, autoscale);
            var most = Math.Min((long)partitions * SimulationSpec.MaxRequestUnitsPerPartition, ContainerSpec.MaxThroughput);
            if (question.KeepsThroughput)
            {
                var given = spec.Container.Throughput;
                return given > most ? null : new PartitionChoice(partitions, given, given);
            }

            var fewest = Math.Max(stored, StorageNeeds.RoundUp(Math.Min(least, int.MaxValue / 2), autoscale));
            most = Math.Min(most, StorageNeeds.RoundUp(Math.Max(fewest * MaxRoom, 1_000), autoscale));
            return fewest <= most ? new PartitionChoice(partitions, fewest, (int)most) : null;
        }
    }

    /// <summary>The partitions of a container that is created with so many RU/s and then gets the documents that are there.</summary>
    public static int CreatedWith(FleetTrials trials, int throughput)
    {
        var spec = trials.Basis.Spec;
        return trials.Question.OnPartitions ?? spec.Simulation?.PhysicalPartitions ?? Math.Max(
            SimulationSpec.ServicePartitionsFor(throughput, spec.Container.Autoscale),
            StorageNeeds.PartitionsFor(trials.Growth.GigabytesAtOnce));
    }

    private static IEnumerable<int> Numbers(FleetTrials trials)
    {
        const int PerPartition = SimulationSpec.MaxRequestUnitsPerPartition;
        var (spec, question) = (trials.Basis.Spec, trials.Question);
        var least = (int)Math.Ceiling((question.KeepsThroughput ? spec.Container.Throughput : trials.Used) / PerPartition);
        var given = question.OnPartitions ?? spec.Simulation?.PhysicalPartitions;
        if (given is { } fixedNumber)
            return [Math.Max(fixedNumber, question.OnPartitions is null ? least : 1)];
        var fewest = Math.Max(Math.Max(1, least), StorageNeeds.PartitionsFor(trials.Growth.GigabytesAtOnce));
        if (question.KeepsThroughput)
        {
            var created = CreatedWith(trials, spec.Container.Throughput);
            return Range(Math.Min(fewest, created), created);
        }

        var most = trials.Keys.IsEven
            ? (int)Math.Ceiling(trials.Used * MaxRoom / SimulationSpec.RequestUnitsPerPartition)
            : SimulationSpec.MaxPhysicalPartitions;
        var natural = CreatedWith(trials, StorageNeeds.RoundUp(trials.Used, spec.Container.Autoscale));
        return Range(fewest, Math.Max(fewest, most)).Append(Math.Max(fewest, natural)).Distinct();
    }

    private static IEnumerable<int> Range(int from, int to)
    {
        for (var number = from; number <= to; number = Math.Max(number + 1, number < EachUpTo ? 0 : (int)(number * Growth)))
            yield return number;
    }
}
