namespace ScaleOut.Analysis.Reports.Building;

/// <summary>
/// Finds times in which a run was charged more RU than its container, or one physical partition, can give. Then the times of the legs are
/// wrong, and no rate is computed from them. In each second an account can give the second's budget and, where bursts are possible, burst
/// credit. A tolerance at the edges allows for seconds that begin at other instants and for operations in flight.
/// </summary>
internal static class BudgetChecks
{
    /// <summary>Factor by which a real account may exceed the RU/s that it reports.</summary>
    public const double Leniency = 1.1;

    /// <summary>
    /// Seconds of budget that a time may get beyond its length, one at each edge: the account's seconds begin at other instants than the
    /// workers'.
    /// </summary>
    private const double EdgeSeconds = 2;

    /// <summary>Multiple of the mean charge that is assumed for operations in flight at an edge, because charges differ.</summary>
    private const double CostlyOperations = 2;

    private const int NamedLegs = 3;

    /// <summary>
    /// Contradictions, in sentences that name the time and its legs. Empty if there are none, or if the budget is not known.
    /// </summary>
    public static IReadOnlyList<string> From(MergedRun run)
    {
        if (run.HighestBudget is not (> 0 and var budget))
            return [];
        var (fewest, most) = PartitionCounts(run);
        var splits = UnseenSplits(run, fewest, most);
        var inFlight = InFlight(run);
        var ofContainer = Allowances(run, budget / (most + splits), most + splits, inFlight);
        if (WorstOf(run.Total.Seconds.Select(entry => (entry.Key, entry.Value.Counts.RequestUnits.Value)), ofContainer) is { } time)
            return [Sentence(run, $"the container's {Numbers.Brief(budget)} RU/s allow", time)];

        // An account whose parameters are not known may share its RU/s out unevenly, up to what one partition can serve.
        var (known, parts) = HighestShare(run, budget, fewest, most, splits);
        var isKnown = SimulationOf(run) is not null;
        var share = isKnown ? known : Math.Max(known, SimulationSpec.MaxRequestUnitsPerPartition);
        var ofPartition = Allowances(run, share / parts, parts, inFlight);
        var when = isKnown && share > budget / fewest ? " after a split or merge" : "";
        foreach (var partition in run.Partitions)
        {
            var name = PartitionReports.RangeOf(partition);
            var whoAllows = $"the physical partition {name} with {Numbers.Brief(share)} RU/s{when} allows";
            if (WorstOf(partition.PerSecond.Select(entry => (entry.Key, entry.Value)), ofPartition) is { } over)
                return [Sentence(run, whoAllows, over)];
        }

        return [];
    }

    /// <summary>
    /// Partitions of the simulated account that gave more RU in the judged seconds than one partition can have. So partitions were split or
    /// merged while legs went on that began with them, and the RU/s of these are not known.
    /// </summary>
    public static IReadOnlyList<MergedPartition> SplitUnseen(MergedRun run)
    {
        if (!run.Ending.Simulated || run.HighestBudget is not > 0 || run.JudgedSeconds.Count == 0)
            return [];
        var (fewest, most) = PartitionCounts(run);
        if (SimulationOf(run) is not ({ Merges.Count: > 0 } or { StorageFactor: > 1 }) && UnseenSplits(run, fewest, most) == 0)
            return [];
        var shares = run.JudgedSeconds.Select(second => run.BudgetAt(second)!.Value / fewest).ToList();
        return CanBurst(run, shares.Min())
            ? []
            : [.. run.Partitions.Where(partition => run.JudgedRequestUnits(partition) > Leniency * shares.Sum())];
    }

    /// <summary>
    /// RU that the container, or one partition, can give in the judged seconds: its RU/s, and what is left of the bank of burst credit on a
    /// simulated account that has one. Null if the account does not report the RU/s.
    /// </summary>
    public static double? JudgedBudget(MergedRun run, MergedPartition? partition = null)
    {
        var (all, seconds) = (PartitionCounts(run).Most, run.JudgedSeconds.Count);
        var (parts, siblings) = partition is null ? (all, all) : (1, partition.Siblings);
        if (run.MeanBudget * parts / siblings is not { } perSecond || !HasBurst(run, siblings))
            return run.MeanBudget * parts / siblings * seconds;
        var used = partition?.PerSecond.Select(entry => (Second: entry.Key, RequestUnits: entry.Value))
            ?? run.Total.Seconds.Select(entry => (Second: entry.Key, RequestUnits: entry.Value.Counts.RequestUnits.Value));
        var full = SimulationSpec.BurstBankSeconds * perSecond;
        var spent = used.Where(entry => entry.Second < run.JudgedSeconds.Ranges[0].First).Sum(entry => entry.RequestUnits - perSecond);
        var bank = Math.Clamp((run.Spec.Simulation!.BurstBank * full) - spent, 0, full);
        return Math.Min((perSecond * seconds) + bank, (double)SimulationSpec.BurstRequestUnitsPerSecond * parts * seconds);
    }

    /// <summary>Whether the partitions of the simulated account have burst credit.</summary>
    /// <param name="partitions">Number of partitions that share the container's RU/s.</param>
    public static bool HasBurst(MergedRun run, int partitions) =>
        SimulationOf(run) is { Burst: true } && run.MeanBudget is { } budget && CanBurst(run, budget / partitions);

    /// <summary>The smallest and the largest number of partitions that are known to have been there at one time.</summary>
    private static (int Fewest, int Most) PartitionCounts(MergedRun run)
    {
        var siblings = run.Partitions.Select(partition => partition.Siblings).DefaultIfEmpty(1).ToList();
        return (siblings.Min(), siblings.Max());
    }

    /// <summary>
    /// Number of splits that may have come while legs went on. A leg counts by the partitions that there were when it began.
    /// </summary>
    private static int UnseenSplits(MergedRun run, int fewest, int most)
    {
        var planned = SimulationOf(run);
        // Raised RU/s split partitions until each has at most what one can serve.
        var needed = run.Ending.ThroughputChanges is null || planned is { PhysicalPartitions: not null }
            ? fewest
            : SimulationSpec.ServicePartitionsFor((int)run.HighestBudget!.Value, dense: true);
        var splits = Math.Max(0, needed - fewest) + (planned?.Splits.Count ?? 0);
        // Where partitions are merged, different numbers are no sign of a split.
        return planned is { Merges.Count: > 0 } ? splits : Math.Max(splits, most - fewest);
    }

    /// <summary>
    /// The most RU/s that a leg can count for one physical partition, and the largest number of parts that have them. The parts of a
    /// partition that is split while the leg goes on count together. One that is merged with another may get all RU/s of both.
    /// </summary>
    private static (double Share, int Parts) HighestShare(MergedRun run, double budget, int fewest, int most, int splits)
    {
        var planned = SimulationOf(run);
        // Full partitions split, too, and how often is not planned.
        if (planned is { StorageFactor: > 1 })
            return (budget, fewest);
        var least = Math.Max(1, Math.Min(fewest, most - (planned?.Merges.Count ?? 0)));
        return (budget * (splits + 1) / (least + splits), splits + 1);
    }

    /// <summary>RU of the operations that may be in flight at one instant.</summary>
    private static double InFlight(MergedRun run)
    {
        var operations = run.Legs.Sum(leg => leg.Operations);
        var each = operations > 0 ? Counts.Sum(run.Legs.Select(leg => leg.Counts)).RequestUnits.Value / operations : 0;
        var steps = run.Spec.Workload.Steps ?? [];
        var concurrency = run.Workers.Sum(worker =>
            (long)(steps.Select(step => step.ConcurrencyOf(worker.Index, run.Workers.Count)).Max() ?? worker.Settings.Concurrency));
        return CostlyOperations * concurrency * each;
    }

    /// <summary>
    /// RU that the given number of partitions can give. Burst credit adds saved RU to the budget, up to the burst limit of each second.
    /// </summary>
    private static IReadOnlyList<Allowance> Allowances(MergedRun run, double each, int partitions, double inFlight)
    {
        var perSecond = each * partitions;
        var once = (EdgeSeconds * perSecond) + inFlight;
        if (!CanBurst(run, each))
            return [new(Leniency * perSecond, once)];
        var burst = (double)SimulationSpec.BurstRequestUnitsPerSecond * partitions;
        return
        [
            new(Leniency * perSecond, once + (SimulationSpec.BurstBankSeconds * perSecond)),
            new(Leniency * burst, once + (EdgeSeconds * burst)),
        ];
    }

    /// <param name="each">RU/s of a partition.</param>
    private static bool CanBurst(MergedRun run, double each) =>
        each < SimulationSpec.BurstRequestUnitsPerSecond && SimulationOf(run) is not { Burst: false };

    /// <summary>What the spec asks of the simulated account; null for another account.</summary>
    private static SimulationSpec? SimulationOf(MergedRun run) => run.Ending.Simulated ? run.Spec.Simulation : null;

    private static OverBudget? WorstOf(IEnumerable<(long Second, double RequestUnits)> perSecond, IReadOnlyList<Allowance> allowances)
    {
        var seconds = perSecond.ToList();
        return allowances.Select(allowance => WorstOf(seconds, allowance)).FirstOrDefault(time => time is not null);
    }

    /// <summary>
    /// The time with the most RU above its allowance; null when none is above. One pass is enough: the worst time that ends with a second
    /// either continues the worst that ended before it, or begins with this second.
    /// </summary>
    private static OverBudget? WorstOf(List<(long Second, double RequestUnits)> perSecond, Allowance allowance)
    {
        OverBudget? worst = null;
        var most = allowance.Once;
        double excess = 0, charged = 0;
        long from = 0, before = 0;
        foreach (var (second, requestUnits) in perSecond)
        {
            excess -= allowance.PerSecond * (second - before - 1);
            if (excess <= 0)
                (excess, charged, from) = (0, 0, second);
            excess += requestUnits - allowance.PerSecond;
            charged += requestUnits;
            before = second;
            if (excess > most)
                (most, worst) = (excess, new OverBudget(NumberRange.Between(from, second + 1), charged, charged - excess + allowance.Once));
        }

        return worst;
    }

    private static string Sentence(MergedRun run, string whoAllows, OverBudget time)
    {
        var (from, to) = (UtcSeconds.At(time.Seconds.First), UtcSeconds.At(time.Seconds.End));
        var legs = run.Legs
            .Where(leg => leg.StartedAt < to && leg.EndedAt >= from)
            .OrderBy(leg => leg.Output.Worker).ThenBy(leg => leg.Output.Leg)
            .Select(leg => $"leg {leg.Output.Leg} of worker {leg.Output.Worker}")
            .ToList();
        var more = legs.Count > NamedLegs ? $" and {Numbers.Count(legs.Count - NamedLegs)} more" : "";
        return $"from {Numbers.Instant(from)} to {Numbers.Instant(to)} {string.Join(", ", legs.Take(NamedLegs))}{more} were charged "
            + $"{Numbers.Count((long)time.Charged)} RU, {Numbers.Brief(time.Charged / time.Seconds.Count)} RU/s; {whoAllows} at most "
            + $"{Numbers.Count((long)time.Allowed)} RU in that time, unless they were raised while the run went on.";
    }

    /// <summary>A time range in which more RU were charged than the account can give.</summary>
    private sealed record OverBudget(NumberRange Seconds, double Charged, double Allowed);

    /// <param name="PerSecond">RU that are allowed in each second of a time range.</param>
    /// <param name="Once">RU that are allowed in addition, whatever the length of the time range.</param>
    private readonly record struct Allowance(double PerSecond, double Once);
}
