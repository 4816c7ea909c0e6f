using ScaleOut.Analysis.Costs;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;

namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Merges what the legs of a run left into its report.</summary>
public static class RunReportBuilder
{
    /// <summary>Failures that a report lists.</summary>
    public const int MaxFailures = 10;

    /// <summary>Builds the report; the same input gives the same report.</summary>
    /// <param name="ending">What the orchestration knows.</param>
    /// <param name="legs">What the legs left; may be empty, as when the run could not start.</param>
    /// <param name="prices">For the cost; null for none.</param>
    /// <exception cref="ArgumentException">The spec has no id.</exception>
    public static RunReport Build(RunEnding ending, LegHarvest legs, PriceList? prices = null)
    {
        ArgumentNullException.ThrowIfNull(ending);
        ArgumentNullException.ThrowIfNull(legs);

        var run = new MergedRun(ending, legs);
        var documents = ReportCounts.Documents(ending.Spec.Documents, legs.Results, ending.Verification?.Verified);
        IReadOnlyList<string> missing = DamagedEvidence.MissingLegs(ending.Spec, legs);
        var state = RunStateRule.From(ending, documents, missing, run.TimeErrors.Count > 0);
        var seconds = SeriesPoints.SecondsOf(run);
        var workers = WorkerReports.From(run, seconds);
        var used = UtilizationOf.Run(run);
        IReadOnlyList<string> failures = [.. legs.Results.SelectMany(leg => leg.Failures).Take(MaxFailures)];
        return new RunReport
        {
            Id = ending.Spec.Id ?? throw new ArgumentException("The spec has no id.", nameof(ending)),
            Name = ending.Spec.Name,
            State = state,
            Simulated = ending.Simulated,
            StartedAt = run.StartedAt,
            FinishedAt = ending.FinishedAt,
            Spec = ending.Spec,
            Documents = documents,
            Requests = ReportCounts.Requests(legs.Results),
            LostLegs = legs.LostLegs,
            Throughput = Rates.Throughput(run),
            RequestUnits = Rates.RequestUnits(run),
            LatencyMs = ReportCounts.Latency(legs.Results),
            BoundBy = used is null ? null : BoundByRule.Decide(used),
            Utilization = used,
            DistinctInstances = RunWarnings.InstancesOf(run),
            Cost = CostOf(run, prices),
            KeptIndexing = ending.Container?.KeptIndexing,
            Workers = workers,
            Partitions = PartitionReports.From(run, seconds),
            Steps = StepReports.From(run),
            Stretches = SeriesPoints.StretchesOf(run.Times.Stretches),
            Overlap = SeriesPoints.StretchesOf(run.Window.Seconds),
            Interruptions = run.Times.Interruptions,
            TimeErrors = run.TimeErrors,
            Series = SeriesPoints.From(run, seconds),
            MissingLegs = missing,
            Failures = failures,
            Warnings =
            [
                .. RunReasons.From(ending, state, documents, missing, failures, run.TimeErrors),
                .. DamagedEvidence.Warnings(legs),
                .. RunWarnings.From(run, workers, legs.LostLegs, documents),
            ],
        };
    }

    /// <summary>Interruptions are in it: what the run made is billed for as long as it is there.</summary>
    private static RunCost? CostOf(MergedRun run, PriceList? prices) =>
        prices is null || run.Ending.Simulated || run.Legs.Count == 0 || run.TimeErrors.Count > 0
            ? null
            : RunCost.From(prices, [(run.Spec, Math.Max(0, (run.Ending.FinishedAt - run.StartedAt).TotalSeconds))]);
}

/// <summary>Says what bound a run: the first limit, in the order of <see cref="BoundBy"/>, that was reached.</summary>
public static class BoundByRule
{
    /// <summary>Share of the container's RU/s from which they are the limit.</summary>
    public const double RequestUnitShare = 0.95;

    /// <summary>Share of a partition's RU/s from which a second counts as at its limit.</summary>
    public const double PartitionShare = 0.95;

    /// <summary>Share of seconds at its limit from which a partition is the limit.</summary>
    public const double PartitionSecondsShare = 0.5;

    /// <summary>Share of its cores from which a worker is the limit.</summary>
    public const double ClientShare = 0.8;

    /// <summary>Share of all cores from which a machine is the limit.</summary>
    public const double MachineShare = 0.9;

    /// <summary>Decides from what was used; what is not known is not a limit.</summary>
    public static BoundBy Decide(Utilization used)
    {
        ArgumentNullException.ThrowIfNull(used);
        return used switch
        {
            { RequestUnits: >= RequestUnitShare } => BoundBy.RequestUnits,
            { PartitionSecondsAtLimit: >= PartitionSecondsShare } => BoundBy.Partition,
            { Client: >= ClientShare } => BoundBy.Client,
            { Machine: >= MachineShare } => BoundBy.Machine,
            { KeptSchedule: true } => BoundBy.Rate,
            _ => BoundBy.Latency,
        };
    }
}

/// <summary>Says how a run ended.</summary>
internal static class RunStateRule
{
    /// <summary>
    /// Complete only when every document is done, or every step of the load, and the container's own count changed by exactly that; reads
    /// and queries leave it as it is. A worker that could not go on outweighs a stop: whoever stopped the run should learn of it. A run
    /// whose times cannot be right is not complete: nothing can be judged by it.
    /// </summary>
    /// <param name="ending">What the orchestration knows.</param>
    /// <param name="documents">The run's counts.</param>
    /// <param name="missingLegs">Legs whose results are missing: what they did is in no figure, so no figure is the run's.</param>
    /// <param name="hasTimeErrors">Whether instants of its legs contradict each other.</param>
    public static RunState From(RunEnding ending, ReportedDocuments documents, IReadOnlyList<string> missingLegs, bool hasTimeErrors)
    {
        if (ending.StoppedInPreparation)
            return RunState.Stopped;
        if (ending.Container is null || ending.Workers.Any(worker => worker.End == WorkerEnd.Failed))
            return RunState.Failed;
        var workload = ending.Spec.Workload;
        var wentThrough = documents.Remaining == 0
            || (workload.Steps is not null && ending.Workers.All(worker => worker.End == WorkerEnd.Done));
        if (!hasTimeErrors
            && documents.Failed == 0
            && missingLegs.Count == 0
            && wentThrough
            && (workload.Kind.LeavesCount() || documents.Verified == ExpectedOf(ending, documents)))
            return RunState.Complete;
        return ending.Workers.Any(worker => worker.End == WorkerEnd.Stopped) ? RunState.Stopped : RunState.Incomplete;
    }

    /// <summary>By how much the count is to change: a step load that ends with its last step does not come to all documents.</summary>
    public static long ExpectedOf(RunEnding ending, ReportedDocuments documents) =>
        ending.Spec.Workload.Steps is null ? documents.Asked : documents.Inserted + documents.AlreadyPresent;
}
