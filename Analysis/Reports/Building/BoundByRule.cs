namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Says what bound a run: the first limit, in the order of <see cref="BoundBy"/>, that was reached.</summary>
public static class BoundByRule
{
    /// <summary>Minimum used share of the container's RU/s at which request units are the limit.</summary>
    public const double RequestUnitShare = 0.95;

    /// <summary>Minimum used share of a partition's RU/s at which the partition is at its limit in a second.</summary>
    public const double PartitionShare = 0.95;

    /// <summary>Minimum share of the seconds at its limit for a partition to be the limit of the run.</summary>
    public const double PartitionSecondsShare = 0.5;

    /// <summary>
    /// Minimum share of all attempts that are 429s for the RU/s to be the limit, if nothing else is: those of one partition, if most 429s
    /// are its, or the container's.
    /// </summary>
    public const double ThrottledShare = 0.05;

    /// <summary>Minimum share of seconds with mostly errors for errors to be the limit. Other limits are then not judged.</summary>
    public const double ErrorSecondsShare = 0.5;

    /// <summary>A partition stands out if its RU are at least this multiple of the mean of the others.</summary>
    private const double PartitionExcess = 1.1;

    /// <summary>Minimum used share of a worker's cores at which the worker is the limit.</summary>
    public const double ClientShare = 0.8;

    /// <summary>Minimum busy share of a machine's cores at which the machine is the limit.</summary>
    public const double MachineShare = 0.9;

    /// <summary>
    /// Partitions that used clearly more than the others on average. A single partition, or one of several that are evenly full, does not
    /// bound a run, because keys that spread more evenly would not help.
    /// </summary>
    /// <param name="unitsOf">RU that a partition used.</param>
    /// <param name="isSuperseded">Whether a partition was split or merged. It is compared with all that were not.</param>
    public static IEnumerable<T> StandingOut<T>(IEnumerable<T> partitions, Func<T, double> unitsOf, Func<T, bool> isSuperseded)
    {
        var used = partitions.Select(partition => (Partition: partition, Units: unitsOf(partition))).ToList();
        var live = used.Where(entry => !isSuperseded(entry.Partition)).ToList();
        var total = live.Sum(entry => entry.Units);
        foreach (var (partition, units) in used)
        {
            var (others, othersUnits) = isSuperseded(partition) ? (live.Count, total) : (live.Count - 1, total - units);
            if (others > 0 && units >= PartitionExcess * othersUnits / others)
                yield return partition;
        }
    }

    /// <summary>Share of the seconds in which a partition was at its limit.</summary>
    /// <param name="used">RU of its seconds, with its budget of each.</param>
    /// <param name="seconds">Number of all seconds, also of those without a request.</param>
    public static double SecondsAtLimit(IEnumerable<(double Units, double Budget)> used, long seconds) =>
        used.Count(second => second.Units >= PartitionShare * second.Budget) / (double)Math.Max(1, seconds);

    /// <summary>Decides from the used share of each limit. A limit whose share is not known does not count.</summary>
    public static BoundBy Decide(Utilization used)
    {
        return used switch
        {
            { ErrorSeconds: >= ErrorSecondsShare } => BoundBy.Errors,
            { RequestUnits: >= RequestUnitShare } => BoundBy.RequestUnits,
            { PartitionSecondsAtLimit: >= PartitionSecondsShare } => BoundBy.Partition,
            { Client: >= ClientShare } => BoundBy.Client,
            { Machine: >= MachineShare, KeptSchedule: not true } => BoundBy.Machine,
            { KeptSchedule: true } => BoundBy.Rate,
            // A partition that is throttled at each burst does not use all of its RU/s.
            { PartitionThrottledShare: >= ThrottledShare } => BoundBy.Partition,
            // Neither does a container whose load comes in bursts, as the SDK's bulk mode sends it.
            { ThrottledAttempts: >= ThrottledShare } => BoundBy.RequestUnits,
            _ => BoundBy.Latency,
        };
    }
}

/// <summary>Measures how much of each limit a run used in its judged seconds.</summary>
internal static class UtilizationOf
{
    /// <summary>Smallest share of the judged seconds for which the account's CPU must be known.</summary>
    private const double MinMeasuredShare = 0.95;

    /// <summary>Null when no leg left a result.</summary>
    public static Utilization? Run(MergedRun run)
    {
        if (run.JudgedSeconds.Count == 0)
            return null;
        var machines = Machines(run).Select(machine => (IReadOnlyList<LegResult>)[.. machine])
            .Select(legs => (Legs: legs, Shares: MachineShares(run, legs))).ToList();
        var busiest = machines.DefaultIfEmpty((Legs: [], Shares: default)).MaxBy(machine => machine.Shares.Mean);
        var (machineShare, workers, account) = (
            busiest.Shares.Mean, WorkersShare(run, busiest.Legs), AccountShare(run, busiest.Legs, machines.Count));
        return new Utilization
        {
            RequestUnits = Share(run.Total.RequestUnitsIn(run.JudgedSeconds) / BudgetChecks.JudgedBudget(run)),
            PartitionSecondsAtLimit = Share(
                StandingOut(run).Except(BudgetChecks.SplitUnseen(run)).Max(partition => SecondsAtLimit(run, partition))),
            PartitionRequestUnits = Share(
                StandingOut(run).Except(BudgetChecks.SplitUnseen(run)).Max(partition => UsedShare(run, partition))),
            PermittedRequestUnits = Share(Permitted(run)),
            PartitionThrottledShare = Share(StandingOut(run).Max(partition => ThrottledShare(run, partition))),
            ThrottledAttempts =
                run.Spec.Workload.Kind.UsesTables() ? null : Share(ReportCounts.Requests(run.Legs).ThrottledShare),
            ErrorSeconds = Share(ErrorSeconds(run)),
            Client = Share(run.Workers.Where(worker => worker.Legs.Count > 0).Max(worker => CpuShare(run, worker))),
            ClientMax = Share(run.Workers.Max(worker => CpuShareMax(run, worker))),
            Machine = Share(machineShare),
            MachineMax = Share(machines.Max(machine => machine.Shares.Max)),
            MachineByWorkers = Share(workers),
            MachineByAccount = Share(account),
            MachineByOthers = (run.Ending.Simulated && account is null) || run.Ending.Container?.Emulated == true
                || machineShare - workers is not { } rest
                ? null
                : Share(Math.Max(0, rest - (account ?? 0))),
            KeptSchedule = KeptSchedule(run),
        };
    }

    /// <summary>Share of a machine's cores that its workers used; null if the machine does not report its number of cores.</summary>
    private static double? WorkersShare(MergedRun run, IReadOnlyList<LegResult> legs) =>
        legs.Max(leg => leg.Machine.MachineCores) is { } cores and > 0
            ? legs.SelectMany(leg => leg.Seconds).Where(sample => run.JudgedSeconds.Contains(sample.Second))
                    .Sum(sample => sample.CpuSeconds)
                / (run.JudgedSeconds.Count * cores)
            : null;

    /// <summary>
    /// Share of the cores that the simulated account used on the one machine that it shares with the workers; null if not measured.
    /// </summary>
    private static double? AccountShare(MergedRun run, IReadOnlyList<LegResult> legs, int machines) =>
        machines == 1 && run.Ending.Delays is { CpuSeconds: { } used, Seconds: { } seconds }
            && seconds >= MinMeasuredShare * run.JudgedSeconds.Count && legs.Max(leg => leg.Machine.MachineCores) is { } cores and > 0
            ? used / (run.JudgedSeconds.Count * cores)
            : null;

    private static double RequestUnitsPerSecond(MergedRun run) =>
        run.Total.RequestUnitsIn(run.JudgedSeconds) / run.JudgedSeconds.Count;

    private static IEnumerable<MergedPartition> StandingOut(MergedRun run) =>
        BoundByRule.StandingOut(run.Partitions, run.JudgedRequestUnits, partition => partition.Superseded);

    private static double? UsedShare(MergedRun run, MergedPartition partition) =>
        run.JudgedRequestUnits(partition) / BudgetChecks.JudgedBudget(run, partition);

    /// <summary>
    /// Null if the account does not report the container's RU/s. A partition with burst credit is above its RU/s long before its limit.
    /// </summary>
    private static double? SecondsAtLimit(MergedRun run, MergedPartition partition) => run.BudgetOf(partition) is null
        ? null
        : BudgetChecks.HasBurst(run, partition.Siblings) && UsedShare(run, partition) < BoundByRule.PartitionShare ? 0
        : BoundByRule.SecondsAtLimit(
            partition.PerSecond.Where(entry => run.JudgedSeconds.Contains(entry.Key))
                .Select(entry => (entry.Value, run.BudgetAt(entry.Key)!.Value / partition.Siblings)),
            run.JudgedSeconds.Count);

    /// <summary>Null if the partition does not have most of the run's 429s.</summary>
    private static double? ThrottledShare(MergedRun run, MergedPartition partition)
    {
        var (throttled, attempts) = (run.Partitions.Sum(one => one.Counts.Throttled), run.Legs.Sum(leg => leg.Counts.Attempts));
        return 2 * partition.Counts.Throttled > throttled && attempts > 0 ? partition.Counts.Throttled / (double)attempts : null;
    }

    private static double ErrorSeconds(MergedRun run)
    {
        var seconds = run.Total.Seconds;
        var lastSuccess = seconds.Where(entry => Successes(entry.Value) > 0).Select(entry => entry.Key).DefaultIfEmpty(-1).Max();
        var endsInErrors = seconds.Any(entry => entry.Key > lastSuccess && entry.Value.Counts.Errors > 0);
        return run.JudgedSeconds.Count(second =>
            (endsInErrors && second > lastSuccess)
            || (run.Total.At(second) is { Counts.Errors: > 0 and var errors } totals && errors >= Successes(totals)))
            / (double)run.JudgedSeconds.Count;
    }

    private static long Successes(SecondSample totals) => totals.Counts.Inserted + totals.Counts.AlreadyPresent;

    private static double? CpuShare(MergedRun run, WorkerLegs worker) =>
        run.Series[worker.Index].CpuSecondsIn(run.JudgedSeconds) / (run.JudgedSeconds.Count * Math.Max(1, worker.Legs[^1].Machine.Cores));

    /// <summary>
    /// A worker's share in its busiest judged second; null without any. At most 1: a late sampler counts CPU time of one second in the next
    /// one.
    /// </summary>
    public static double? CpuShareMax(MergedRun run, WorkerLegs worker) => worker.Legs.Count == 0
        ? null
        : run.Series[worker.Index].Seconds.Where(entry => run.JudgedSeconds.Contains(entry.Key))
            .Max(entry => (double?)Math.Min(1, entry.Value.CpuSeconds / Math.Max(1, worker.Legs[^1].Machine.Cores)));

    private static IEnumerable<IGrouping<string, LegResult>> Machines(MergedRun run) => run.Legs.GroupBy(leg => leg.Machine.InstanceId);

    /// <summary>The shares that the machine reports. If it reports none, those that its workers used together.</summary>
    private static (double? Mean, double? Max) MachineShares(MergedRun run, IReadOnlyList<LegResult> legs)
    {
        var samples = legs.SelectMany(leg => leg.Seconds).Where(sample => run.JudgedSeconds.Contains(sample.Second)).ToList();
        if (samples.Any(sample => sample.MachineCpuShare is not null))
            return (samples.Average(sample => sample.MachineCpuShare), samples.Max(sample => sample.MachineCpuShare));
        if (legs.Select(leg => leg.Output.Worker).Distinct().Count() <= 1)
            return (null, null);
        var cores = Math.Max(1, legs.Max(leg => leg.Machine.Cores));
        return (
            samples.Sum(sample => sample.CpuSeconds) / (run.JudgedSeconds.Count * cores),
            samples.GroupBy(sample => sample.Second).Max(second => (double?)Math.Min(1, second.Sum(sample => sample.CpuSeconds) / cores)));
    }

    /// <summary>Used share of the RU/s that all workers may use; null if the spec does not limit those of each.</summary>
    private static double? Permitted(MergedRun run) =>
        RequestUnitsPerSecond(run) / run.Spec.PaceOf(run.Ending.Container?.BudgetPerSecond);

    private static bool? KeptSchedule(MergedRun run)
    {
        // In a load with steps, the steps have the rates.
        var hasRates = run.Spec.Workload.Steps?.Any(step => step.Rate is not null) == true;
        if (Permitted(run) >= BoundByRule.RequestUnitShare)
            return true;
        var kept = run.Workers.All(worker => KeptPace(worker) || (HasRate(worker) && worker.Legs.Count > 0
            && worker.Legs.All(leg => leg.KeptSchedule == true)));
        return kept || run.Workers.Any(HasRate) ? kept : null;

        bool HasRate(WorkerLegs worker) => hasRates || worker.Settings.Rate is not null;

        // Whether the worker used nearly all RU/s that an override permits it.
        bool KeptPace(WorkerLegs worker) => run.Series[worker.Index].RequestUnitsIn(run.JudgedSeconds) / run.JudgedSeconds.Count
            >= BoundByRule.RequestUnitShare * run.Spec.OwnPaceOf(worker.Index);
    }

    internal static double? Share(double? share) => share is { } known ? Math.Round(known, 4) : null;
}
