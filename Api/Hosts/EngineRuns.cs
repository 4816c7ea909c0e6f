using ScaleOut.Analysis.Reports.Building;
using ScaleOut.Progress;

namespace ScaleOut.Api.Hosts;

/// <summary>
/// A run on a durable engine as the interface shows it: what the engine knows of the orchestration, and what the workers have reported by
/// queue.
/// </summary>
public static class EngineRuns
{
    private const int MostWarnings = 10;

    /// <summary>How far a run is; null when the engine knows less than the run store does.</summary>
    /// <param name="spec">The run's.</param>
    /// <param name="instance">Its orchestration; null when the engine does not know it.</param>
    /// <param name="stopRequested">Whether its stop flag is set.</param>
    /// <param name="messages">The newest progress of its workers.</param>
    /// <param name="now">UTC.</param>
    public static HostedRun? From(
        RunSpec spec, EngineInstance? instance, bool stopRequested, IReadOnlyList<WorkerProgress> messages, DateTimeOffset now)
    {
        return instance switch
        {
            null => null,
            { IsAlive: true } => Live(spec, instance, stopRequested, messages, now),
            { Status.Outcome: { } outcome } => HostedRun.From(outcome, spec.Documents),
            { State: EngineState.Failed } =>
                Gone(spec, HostedState.Failed, LegOutput.Shorten(instance.Failure) ?? "Its orchestration failed."),
            _ => Gone(
                spec, HostedState.Interrupted,
                "Its orchestration was ended by hand. Workers that are still at work end when the run is stopped."),
        };
    }

    private static HostedRun Live(
        RunSpec spec, EngineInstance instance, bool stopRequested, IReadOnlyList<WorkerProgress> messages, DateTimeOffset now)
    {
        var view = RunProgressView.From(messages);
        var done = view.Inserted + view.AlreadyPresent + view.Failed;
        var phase = instance.Status?.Phase;
        var working = phase == RunPhase.Running;
        var queued = instance.State == EngineState.Pending || phase == RunPhase.Queued;
        var seconds = view.Workers.Select(worker => worker.Seconds).DefaultIfEmpty().Max();
        return new HostedRun
        {
            State = stopRequested ? HostedState.Stopping : queued ? HostedState.Queued : HostedState.Running,
            Phase = phase,
            RunsAhead = queued ? instance.Status?.RunsAhead : null,
            StartedAt = queued ? null : instance.CreatedAt,
            ElapsedSeconds = queued ? null : Round(Math.Max(0, (now - instance.CreatedAt).TotalSeconds)),
            RemainingSeconds = working && !stopRequested && view.DocumentsPerSecond > 0
                ? Round((spec.Documents - done) / view.DocumentsPerSecond)
                : null,
            Asked = spec.Documents,
            Done = done,
            Throttled = view.Throttled,
            RequestUnits = Round(view.RequestUnits),
            PerSecond = working ? Rates(view.DocumentsPerSecond, view.Throttled, view.RequestUnits, seconds) : null,
            LostLegs = messages.Sum(message => message.Attempt - 1),
            Warnings = [.. messages.Where(message => message.Warning is not null).Take(MostWarnings).Select(WarningOf)],
            Workers = phase is null or RunPhase.Queued or RunPhase.Preparing ? [] : Workers(spec, view),
        };
    }

    private static string WarningOf(WorkerProgress message) => FormattableString.Invariant($"worker {message.Worker}: {message.Warning}");

    private static List<HostedWorker> Workers(RunSpec spec, RunProgressView view)
    {
        var slices = Slicing.Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation);
        var reported = view.Workers.ToDictionary(worker => worker.Worker);
        return
        [
            .. Enumerable.Range(0, spec.Workers).Select(index => Worker(index, slices[index].Count, reported.GetValueOrDefault(index))),
        ];
    }

    private static HostedWorker Worker(int index, long asked, WorkerProgressView? reported) => new()
    {
        Index = index,
        State = StateOf(reported),
        Leg = reported?.Leg ?? 0,
        Asked = asked,
        Done = reported is null ? 0 : reported.Inserted + reported.AlreadyPresent + reported.Failed,
        Throttled = reported?.Throttled ?? 0,
        RequestUnits = Round(reported?.RequestUnits ?? 0),
        PerSecond = reported is null
            ? new HostedRates(0, 0, 0)
            : Rates(reported.DocumentsPerSecond, reported.Throttled, reported.RequestUnits, reported.Seconds),
        InFlight = reported?.InFlight ?? 0,
        LastError = reported?.LastError,
    };

    private static string StateOf(WorkerProgressView? reported) => reported switch
    {
        null => "starting",
        { Activity: WorkerActivity.Warming } => "warming",
        { Activity: WorkerActivity.Preloading } => "preloading",
        { Activity: WorkerActivity.Waiting } => "waiting",
        { Activity: WorkerActivity.Running } => "running",
        { Activity: WorkerActivity.Draining } => "draining",
        { End: LegEnd.SliceDone or LegEnd.StepsDone } => "done",
        { End: LegEnd.Stopped } => "stopped",
        { End: LegEnd.Rejected } => "failed",
        _ => "restarting",
    };

    private static HostedRun Gone(RunSpec spec, HostedState state, string reason) =>
        new() { State = state, Asked = spec.Documents, Reasons = [reason] };

    /// <summary>Messages come too seldom for the last few seconds, so these are means over the time at work.</summary>
    private static HostedRates Rates(double documents, long throttled, double requestUnits, double seconds) =>
        seconds > 0
            ? new HostedRates(Round(documents), Round(throttled / seconds), Round(requestUnits / seconds))
            : new HostedRates(0, 0, 0);

    private static double Round(double value) => Math.Round(value, 2);
}
