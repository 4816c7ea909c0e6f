namespace ScaleOut.Analysis.Reports.Building;

/// <summary>What a reader must know before trusting the numbers, besides <see cref="RunReasons"/>.</summary>
internal static class RunWarnings
{
    /// <summary>Delay after the common start beyond which a worker is reported as late.</summary>
    public static readonly TimeSpan Late = TimeSpan.FromSeconds(1);

    /// <summary>Largest number of warnings of legs that are listed.</summary>
    public const int LegWarnings = 20;

    /// <summary>Change of a wall clock beyond which it is reported.</summary>
    private const double NotedStepMs = 1_000;

    private const int NamedInterruptions = 5;
    private const int NamedMachines = 5;

    public static IReadOnlyList<string> From(MergedRun run, RunReport report) =>
        run.Ending.Container is not { } container
            ? []
            :
            [
                .. container.Warnings,
                .. Expired(run, report.Documents),
                .. Budgets(run, container),
                .. Caps(run, container),
                .. Changes(run),
                .. Losses(run, report.LostLegs, report.Documents),
                .. UsedUp(run, report.Documents),
                .. Disagreements(run),
                .. Interruptions(run),
                .. Window(run),
                .. Clocks(run),
                .. Instances(run),
                .. LayoutOf(run) is { } layout ? [layout] : Array.Empty<string>(),
                .. LateWorkers(report.Workers),
                .. Splits(run),
                .. OfLegs(run),
            ];

    /// <summary>Warns if the throughput differs from the spec.</summary>
    private static IEnumerable<string> Budgets(MergedRun run, PreparedContainer container)
    {
        if (container is { Created: true, BudgetPerSecond: { } before } && run.Spec.SaysThroughput(run.Ending.Simulated)
            && run.Spec.Container.Throughput is var asked && asked != before)
            yield return $"The spec asks for {Numbers.Brief(asked)} RU/s, and the container had {Numbers.Brief(before)} RU/s before the "
                + "first write. All that this report says about the budget refers to the latter.";
    }

    /// <summary>Warns if the spec's RU/s limit is above the RU/s of one partition, and that partition had most of the 429s.</summary>
    private static IEnumerable<string> Caps(MergedRun run, PreparedContainer container)
    {
        if (run.Spec.PaceOf(container.BudgetPerSecond) is not { } cap
            || run.Partitions.Where(one => !one.Superseded && run.BudgetOf(one) < cap).MaxBy(one => one.Counts.Throttled) is not { } one
            || 2 * one.Counts.Throttled <= run.Partitions.Sum(other => other.Counts.Throttled))
            yield break;
        var field = run.Spec.Workload.MaxRequestUnitShare is { } share
            ? $"workload.maxRequestUnitShare {Numbers.Brief(share)}"
            : run.Spec.Workload.IsPaced ? "workload.requestUnitRate" : "requestUnitRate of workerOverrides";
        yield return $"The workers may use {Numbers.Brief(cap)} RU/s ({field}), and one physical partition has "
            + $"{Numbers.Brief(run.BudgetOf(one))}: partition {PartitionReports.RangeOf(one)} had {Numbers.Count(one.Counts.Throttled)} of "
            + "the 429s. The limit is over all partitions, so it does not keep a single one from being throttled.";
    }

    private static IEnumerable<string> Expired(MergedRun run, ReportedDocuments documents)
    {
        if (CountRule.Expired(run.Spec, documents, run.Ending.FinishedAt - run.StartedAt) is > 0 and var expired)
            yield return $"Documents expire after {Words.Amount(run.Spec.Container.TimeToLive!.Value, "second")} "
                + $"(container.timeToLive): {Numbers.Count(expired)} were gone when the container was counted, so that its count does not "
                + "prove that they were there.";
    }

    /// <summary>The changes of the throughput that the run made, and those that it did not make.</summary>
    private static IEnumerable<string> Changes(MergedRun run)
    {
        var changes = run.Ending.ThroughputChanges ?? [];
        if (changes.Count > 0)
        {
            var texts = changes.Select(change => $"{Numbers.Count(change.Throughput)} RU/s from {Numbers.Instant(change.At)}");
            yield return $"The container had {Numbers.Brief(run.Ending.Container?.BudgetPerSecond)} RU/s before the first write, and "
                + $"{string.Join(", ", texts)}. Shares are of the RU/s of each second.";
        }

        var failures = run.Ending.ThroughputFailures?.Count ?? 0;
        if (run.Spec.Container.ThroughputSteps.Count - changes.Count - failures is > 0 and var left)
            yield return $"The workers ended before {Words.Amount(left, "change")} of the throughput came due.";
    }

    private static string UnitOf(MergedRun run) => run.Spec.Workload.Action is null ? "document" : "action";

    private static IEnumerable<string> UsedUp(MergedRun run, ReportedDocuments documents)
    {
        if (documents.Remaining == 0 && run.Makespan < run.Spec.Workload.StepsDuration)
            yield return $"The {Numbers.Count(documents.Asked)} {UnitOf(run)}s were used up before the last step of the load was over.";
    }

    private static IEnumerable<string> Losses(MergedRun run, int lostLegs, ReportedDocuments documents)
    {
        var isDelete = run.Spec.Workload.Kind == WorkloadKind.Delete;
        var words = WorkloadWords.From(run.Spec.Workload.Kind);
        if (lostLegs > 0)
            yield return $"{Words.Amount(lostLegs, "leg")} left no result. What they had "
                + $"{(isDelete ? "deleted was found gone" : "written was found there")} by later legs "
                + $"({Words.Amount(documents.AlreadyPresent, UnitOf(run))}); their requests, RU and latencies are in no figure here."
                + Measuring(run, words);
        else if (documents.AlreadyPresent > 0)
            yield return isDelete
                ? $"{Words.Amount(documents.AlreadyPresent, "document")} were gone already although no leg was lost: they were never "
                    + "there, or somebody else deleted them."
                : $"{Words.Amount(documents.AlreadyPresent, "document")} were there already although no leg was lost: the container was "
                    + "not free of this run's documents.";
    }

    /// <summary>Says over which legs the figures of an operation are, if some legs mostly found documents; otherwise empty.</summary>
    private static string Measuring(MergedRun run, WorkloadWords words)
    {
        var (measuring, all) = (run.Legs.Count(run.HasMeasured), run.Legs.Count);
        return measuring == all || run.MeasuredNothing
            ? ""
            : $" Latencies, and the RU of one {words.One}, are over the {measuring} of {Words.Amount(all, "leg")} that did not mostly find "
                + "what a lost one had done.";
    }

    /// <summary>Why the run counts for no finding although it is complete, as the end of a sentence; null if it counts.</summary>
    public static string? NotComparable(MergedRun run, int lostLegs)
    {
        if (lostLegs > 0)
            return RunFigures.LegsWereLost;
        if (run.MeasuredNothing)
            return "its documents were found there, so that no leg measured how they are written";
        return run.Ending.ThroughputFailures is { Count: > 0 } ? "it did not get the RU/s that its spec asks for" : null;
    }

    private static IEnumerable<string> Disagreements(MergedRun run)
    {
        foreach (var outcome in run.Ending.Workers)
        {
            var measured = ReportCounts.Documents(
                run.Spec.Workload, run.Workers[outcome.Worker].Slice.Count, run.Workers[outcome.Worker].Legs);
            if (measured.Inserted != outcome.Counts.Inserted
                || measured.AlreadyPresent != outcome.Counts.AlreadyPresent
                || measured.Failed != outcome.Counts.Failed)
                yield return $"Worker {outcome.Worker} is counted by what its legs left in the run store "
                    + $"({Numbers.Count(measured.Asked - measured.Remaining)} documents done); the orchestration knew of "
                    + $"{Numbers.Count(outcome.Counts.Done)}.";
        }
    }

    private static IEnumerable<string> Interruptions(MergedRun run)
    {
        foreach (var (from, to, resumedAt) in run.Interruptions.Take(NamedInterruptions))
        {
            var cause = resumedAt is { } at ? $"it was resumed at {Numbers.Instant(at)}" : "no leg of any worker has a result in it";
            yield return $"The run was interrupted from {Numbers.Instant(from)} to {Numbers.Instant(to)} ({Numbers.Duration(to - from)}): "
                + $"{cause}. That time is in no rate, window or chart.";
        }

        if (run.Interruptions.Count - NamedInterruptions is > 0 and var more)
            yield return $"The run was interrupted {Words.Amount(more, "more time")}, as report.json lists (interruptions).";
    }

    /// <summary>
    /// Warns if a wall clock was set. Legs are not timed by it, so no figure changes, but instants may differ from those of other logs.
    /// </summary>
    private static IEnumerable<string> Clocks(MergedRun run)
    {
        var stepped = run.Legs.Where(leg => Math.Abs(leg.Clocks?.StepMs ?? 0) > NotedStepMs).GroupBy(leg => leg.Machine.InstanceId);
        foreach (var machine in stepped.Take(NamedMachines))
        {
            var step = TimeSpan.FromMilliseconds(machine.MaxBy(leg => Math.Abs(leg.Clocks!.StepMs))!.Clocks!.StepMs);
            var workers = Words.Workers([.. machine.Select(leg => leg.Output.Worker)]).ToLowerInvariant();
            yield return $"The clock of machine {machine.Key} was set {(step > TimeSpan.Zero ? "forward" : "back")} by "
                + $"{Numbers.Duration(step.Duration())} while {workers} ran there; legs are timed by a clock that does not step.";
        }
    }

    private static IEnumerable<string> Window(MergedRun run)
    {
        if (OverlapWindow.IsUsable(run.Window) || run.Legs.Count == 0 || run.TimeErrors.Count > 0)
            yield break;
        yield return $"All workers were at work together for {Words.Amount(run.Window.Count, "whole second")} only (at least "
            + $"{OverlapWindow.MinSeconds} are needed), so there is no overlap rate.";
        yield return $"What bound the run is judged over {Words.Amount(run.JudgedSeconds.Count, "second")} in which any worker was at work "
            + "instead.";
    }

    private static IEnumerable<string> Instances(MergedRun run)
    {
        var instances = InstancesOf(run);
        if (instances < run.Workers.Count && instances > 0)
            yield return $"{Words.Amount(run.Workers.Count, "worker")} ran on {Words.Amount(instances, "distinct instance")}: they shared "
                + "cores, memory and network.";
        var moved = run.Workers.Where(worker => worker.Legs.Select(leg => leg.Machine.InstanceId).Distinct().Count() > 1)
            .Select(worker => worker.Index).ToList();
        if (moved.Count > 0)
            yield return $"{Words.Workers(moved)} moved between instances from leg to leg.";
    }

    /// <summary>A sentence that says how the physical partitions differ from those of the service; null if they do not.</summary>
    public static string? LayoutOf(MergedRun run)
    {
        var partitions = run.Partitions.Count(partition => !partition.Superseded);
        if (run.Ending.Container is not { Simulated: true } container || partitions == 0)
            return null;
        const int MaxBudget = SimulationSpec.MaxRequestUnitsPerPartition;
        if (container.BudgetPerSecond / partitions is > MaxBudget and var budget)
            return $"Each physical partition has a budget of {Numbers.Brief(budget)} RU/s; no partition of a real account has more "
                + $"than {Numbers.Count(MaxBudget)}.";
        var spec = run.Spec.Container;
        var given = SimulationSpec.ServicePartitionsFor(spec.Throughput, spec.IsDense);
        return spec.Name is null && run.Spec.Simulation?.PhysicalPartitions is null && given > SimulationSpec.MaxDefaultPartitions
            ? $"The container has {Numbers.Count(partitions)} physical partitions; a real account gives it {Numbers.Count(given)}."
            : null;
    }

    /// <summary>The figures of the run that are not valid, with the reasons.</summary>
    /// <param name="report">The report without them.</param>
    public static IReadOnlyList<InvalidFigures> InvalidFiguresOf(MergedRun run, RunReport report)
    {
        var invalid = new List<InvalidFigures>();
        if (run.MeasuredNothing)
        {
            var words = WorkloadWords.From(run.Spec.Workload.Kind);
            invalid.Add(new(
                $"rate, latencies and RU per {words.One}",
                $"{Words.Amount(run.Legs.Sum(leg => leg.Counts.AlreadyPresent), "document")} of the run's own container were "
                    + $"{(run.Spec.Workload.Kind == WorkloadKind.Delete ? "gone" : "there")} already: the legs that had done the work left "
                    + "no results. The other legs measured requests that found this, so the report gives no rate, no latencies, "
                    + $"no RU per {words.One}, and nothing that bound the run."));
        }

        if (run.Ending.ThroughputFailures is { Count: > 0 } refused)
            invalid.Add(new(
                "comparisons with other runs",
                $"{string.Join(" ", refused.Select(one => one.EndsWith('.') ? one : one + "."))} The run kept the RU/s that it had, so "
                    + "it is not the load that its spec describes, and counts for no finding."));
        invalid.AddRange(Validity.Of(report));
        var expected = run.Ending.ThroughputChanges?[^1].Throughput ?? run.Ending.Container?.BudgetPerSecond;
        var when = run.Ending.ThroughputChanges is null ? "before the first write" : "after the last change of the run's own";
        if (expected is { } before && run.Ending.Verification?.BudgetPerSecond is { } after && after != before)
            invalid.Add(new(
                InvalidFigures.SharesOfTheBudget,
                $"The container had {Numbers.Brief(before)} RU/s {when} and {Numbers.Brief(after)} RU/s at the end: "
                    + "somebody changed its throughput, and no share of the budget in this report can be relied on."));
        return invalid;
    }

    private static IEnumerable<string> LateWorkers(IReadOnlyList<WorkerReport> workers)
    {
        var late = workers.Where(worker => worker.StartLatenessMs > Late.TotalMilliseconds).ToList();
        if (late.Count > 0)
            yield return $"{Words.Workers([.. late.Select(worker => worker.Index)])} started late, by up to "
                + $"{Numbers.Brief(late.Max(worker => worker.StartLatenessMs) / 1000)} s.";
    }

    private static IEnumerable<string> Splits(MergedRun run)
    {
        var old = run.Partitions.Where(partition => partition.Superseded).ToList();
        if (old.Count > 0)
            yield return $"Physical partitions were split during the run ({string.Join(", ", old.Select(PartitionReports.RangeOf))}). "
                + "Requests before a split are listed with the old range. The budget of each range is what it had while it existed.";
        var unseen = BudgetChecks.SplitUnseen(run);
        if (unseen.Count > 0)
            yield return "Physical partitions were split or merged while legs went on. A leg lists requests by the partitions that it "
                + "began with, so more RU are listed than one partition had for "
                + $"{string.Join(", ", unseen.Select(PartitionReports.RangeOf))}.";
    }

    private static IEnumerable<string> OfLegs(MergedRun run)
    {
        var texts = run.Legs.SelectMany(leg => leg.Warnings.Select(text => (leg.Output.Worker, Text: text))).GroupBy(entry => entry.Text)
            .ToList();
        foreach (var group in texts.Take(LegWarnings))
            yield return $"{Words.Workers([.. group.Select(entry => entry.Worker)])}: {group.Key}";
        if (texts.Count > LegWarnings)
            yield return $"{texts.Count - LegWarnings} more kinds of warnings came from the workers.";
    }

    public static int InstancesOf(MergedRun run) => run.Legs.Select(leg => leg.Machine.InstanceId).Distinct().Count();
}

/// <summary>Describes the items of a run that were found damaged in the run store, and the legs that are missing because of that.</summary>
internal static class DamagedEvidence
{
    /// <summary>Largest number of damaged items that are named one by one.</summary>
    public const int MaxNamed = 10;

    /// <summary>A sentence about each leg without a result: the cause, and the number of documents in no figure.</summary>
    public static IReadOnlyList<string> MissingLegs(RunSpec spec, RunLegs legs) => legs.Missing.Count <= MaxNamed
        ? [.. legs.Missing.Select(leg => Describe(spec, leg, legs))]
        :
        [
            .. legs.Missing.Take(MaxNamed).Select(leg => Describe(spec, leg, legs)),
            $"{Numbers.Count(legs.Missing.Count - MaxNamed)} more legs are missing.",
        ];

    /// <summary>Warnings about damaged items that do not affect the figures.</summary>
    public static IEnumerable<string> Warnings(RunLegs legs)
    {
        var harmless = legs.Damaged.Where(item => !legs.Missing.Any(leg => IsOf(leg, item))).ToList();
        foreach (var item in harmless.Take(MaxNamed))
            yield return $"{item.Text}{Consequence(item, legs)}.";
        if (harmless.Count > MaxNamed)
            yield return $"{Numbers.Count(harmless.Count - MaxNamed)} more items of the run were found damaged.";
    }

    private static string Describe(RunSpec spec, MissingLeg leg, RunLegs legs)
    {
        var found = legs.Damaged.LastOrDefault(item => IsOf(leg, item) && item.Name.Item == LegItem.Damaged);
        var cause = found is null ? $"{spec.Id}/{LegNames.Result(leg.Worker, leg.Leg)} is missing" : found.Text;
        var documents = leg.Documents is { } count
            ? $"{Words.Amount(count, "document")} that it did count as remaining"
            : "the documents that it did count as remaining";
        return $"Leg {leg.Leg} of worker {leg.Worker} is in no figure of this report: {cause}; {documents}.";
    }

    private static string Consequence(DamagedItem item, RunLegs legs)
    {
        if (item.Name.Item == LegItem.Attempt)
            return "; it is counted as a lost leg all the same";
        return legs.Results.Any(result => IsOf(result.Output, item)) ? ", and its leg was run again" : ", and no leg needs it";
    }

    private static bool IsOf(LegOutput leg, DamagedItem item) => (leg.Worker, leg.Leg) == (item.Name.Worker, item.Name.Leg);

    private static bool IsOf(MissingLeg leg, DamagedItem item) => (leg.Worker, leg.Leg) == (item.Name.Worker, item.Name.Leg);
}
