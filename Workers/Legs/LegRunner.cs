using ScaleOut.Workers.Progress;

namespace ScaleOut.Workers.Legs;

/// <summary>
/// Runs legs against one account. A worker's client is used again by its later legs. A leg that has a result in the run store is not run
/// again, so that a repeated call returns the same result.
/// </summary>
/// <param name="clock">Null for the system's.</param>
/// <param name="telemetry">Receives the telemetry of legs while they run. Optional.</param>
/// <param name="logger">Logs damaged results. Optional.</param>
public sealed class LegRunner(
    IRunStore store,
    AccountConnection account,
    IProgressSink progress,
    TimeProvider? clock = null,
    IEnumerable<IRunTelemetry>? telemetry = null,
    ILogger<LegRunner>? logger = null)
    : ILegRunner, IAsyncDisposable
{
    private readonly TimeProvider _time = clock ?? TimeProvider.System;
    private readonly TransientRetry _opening = new(TimeSpan.FromSeconds(60), TimeSpan.FromSeconds(0.1))
    {
        Time = clock ?? TimeProvider.System,
    };

    private readonly UndisturbedProgress _progress = new UndisturbedProgress(progress);
    private readonly RunCache _runs = new(clock ?? TimeProvider.System);

    /// <summary>Whether all workers of a run are on this machine, so that they can start together sooner. Default false.</summary>
    public bool WorkersShareMachine { get; init; }

    public async Task<LegOutput> RunAsync(LegInput leg, CancellationToken cancellationToken)
    {
        // Otherwise every Gateway request would carry the function's trace context in a header, which would slow down Gateway mode but not
        // Direct mode.
        Activity.Current = null;
        var assignment = leg.Assignment;
        var files = new RunFiles(store, assignment.RunId);
        var found = new List<string>();
        // A dispatcher that gives an attempt has already looked for a result.
        if (leg.Attempt is null)
        {
            var isStopped = await files.IsStopRequestedAsync(cancellationToken);
            var (kept, lost) = await files.ReadOrDiscardEarlierOutputAsync(leg, isStopped, cancellationToken);
            if (kept is not null)
                return kept;
            if (lost is not null)
                found.Add(lost);
        }

        leg = await files.ReadWholeAsync(leg, cancellationToken);
        var numbers = await LegNumbers.ReadAsync(leg, files, cancellationToken);
        found.AddRange(numbers.Damaged.Select(item => item.Text));
        var attempt = leg.Attempt
            ?? await files.ClaimAttemptAsync(assignment.Worker, leg.Leg, MachineProbe.InstanceId, cancellationToken);
        var warning = found.Count == 0 ? null : string.Join(' ', found.Select(text => $"{text}."));
        if (warning is not null)
            logger?.LegItemsDamaged(warning);
        var reporter = new LegReporter(leg, attempt, _progress, _time);
        await reporter.ReportAsync(WorkerState.Warming, warning, cancellationToken);
        using var open = _runs.Enter(assignment.RunId);
        var measured = await RunAttemptAsync(
            new LegAttempt
            {
                Leg = leg, Numbers = numbers, Number = attempt, Files = files, Reporter = reporter, Run = open.Run,
                ReceivedAt = open.Run.Clock.UtcNow,
            },
            cancellationToken);
        // A repeated leg must cover the same documents as the first attempt; otherwise its result is dropped.
        var result = numbers.AsTakenOver(measured) is { } whole
            ? await files.CreateResultIfAbsentAsync(whole, cancellationToken)
            : numbers.AsLost(measured);
        await ReportEndAsync(leg, attempt, result, cancellationToken);
        return result.Output;
    }

    public ValueTask DisposeAsync()
    {
        _runs.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task<LegResult> RunAttemptAsync(LegAttempt attempt, CancellationToken cancellationToken) =>
        await OpenAsync(attempt, cancellationToken)
        ?? (attempt.Leg.Leg == 1 ? await WaitForStartAsync(attempt, cancellationToken) : null)
        ?? await ExecuteAsync(attempt, cancellationToken);

    /// <summary>Opens the client and makes the documents. Returns the leg's result if it ends here, otherwise null.</summary>
    /// <exception cref="LegLostException">The account cannot be reached at a worker's first leg.</exception>
    private async Task<LegResult?> OpenAsync(LegAttempt attempt, CancellationToken cancellationToken)
    {
        var (run, leg) = (attempt.Run, attempt.Leg);
        try
        {
            attempt.Documents = run.DocumentsFor(leg.Assignment);
            attempt.Client = await RetriedAsync(token => run.ClientForAsync(
                account, leg.Assignment, begins: leg.Leg == 1 && attempt.Number == 1, error => ReportRetryAsync(error, token), token));
            attempt.Partitions = await RetriedAsync(attempt.Client.ReadPartitionsAsync);
            return null;
        }
        catch (DocumentException e)
        {
            return attempt.EndedBefore(LegEnd.Rejected, e.Message);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            var error = AccountErrors.Describe(e, account);
            // All workers wait for each other's first leg, so the leg counts as lost and is run again.
            if (error.Kind == AccountErrorKind.Transient && leg.Leg == 1)
                throw new LegLostException(error.Message, e);
            return attempt.EndedBefore(
                error.Kind == AccountErrorKind.Rejected ? LegEnd.Rejected : LegEnd.AccountSilent, error.Message);
        }

        Task<T> RetriedAsync<T>(Func<CancellationToken, Task<T>> callAsync) => _opening.RunAsync(
            callAsync, cancellationToken, onRetry: error => ReportRetryAsync(error, cancellationToken));

        Task ReportRetryAsync(Exception error, CancellationToken token) => attempt.Reporter.ReportAsync(
            WorkerState.Warming, $"warming up is tried again: {AccountErrors.Describe(error, account).Message}", token);
    }

    /// <summary>
    /// Preloads the worker's share and waits for the common start. Returns the leg's result if it ends here, otherwise null.
    /// </summary>
    private async Task<LegResult?> WaitForStartAsync(LegAttempt attempt, CancellationToken cancellationToken)
    {
        var (assignment, files, reporter) = (attempt.Assignment, attempt.Files, attempt.Reporter);
        MissingPreloads? missing = null;
        if (assignment.Preloads)
        {
            await reporter.ReportAsync(WorkerState.Preloading, warning: null, cancellationToken);
            var preload = new Preload(assignment, account, files, attempt.Documents!, reporter, attempt.Run.Clock);
            (attempt.Preloaded, var end, var reason) = await preload.WriteAsync(attempt.Partitions!, cancellationToken);
            if (end is not null)
                return attempt.EndedBefore(end.Value, reason);
            if (MissingPreloads.AreNeeded(assignment))
                missing = new MissingPreloads(assignment, files, preload, attempt.Partitions!, reporter, attempt.Preloaded);
        }

        await reporter.ReportAsync(WorkerState.Waiting, warning: null, cancellationToken);
        var barrier = new StartBarrier(
            files, attempt.Run.Clock, StartBarrier.LeadFor(assignment.Workers, WorkersShareMachine), WorkersShareMachine);
        PrepareLateStart? prepareLateStart = missing is null ? null : missing.WriteAsync;
        var wait = await barrier.WaitAsync(
            assignment.Worker, assignment.Workers, assignment.StartTimeout, prepareLateStart, cancellationToken);
        attempt.Wait = wait;
        attempt.Preloaded = missing?.Written ?? attempt.Preloaded;
        return wait is { Error: null, Start: not null }
            ? null
            : attempt.EndedBefore(wait.Error is null ? LegEnd.Stopped : LegEnd.Rejected, wait.Error);
    }

    /// <exception cref="LegLostException">The leg hangs.</exception>
    private async Task<LegResult> ExecuteAsync(LegAttempt attempt, CancellationToken cancellationToken)
    {
        var deadline = attempt.Numbers.Deadline;
        try
        {
            var result = await new LegExecution(attempt, _progress, telemetry ?? [])
                .RunAsync(cancellationToken)
                .WaitAsync(deadline, _time, CancellationToken.None);
            return attempt.Completed(result);
        }
        catch (TimeoutException e)
        {
            // A leg that hangs must not block the run, so it counts as lost and is run again.
            throw new LegLostException($"the leg had not ended {deadline.TotalSeconds:0.#} s after its start", e);
        }
        catch (DocumentException e)
        {
            return attempt.EndedBefore(LegEnd.Rejected, e.Message);
        }
    }

    private async Task ReportEndAsync(LegInput leg, int attempt, LegResult result, CancellationToken cancellationToken) =>
        await _progress.ReportAsync(
            WorkerProgress.From(leg, attempt, long.MaxValue, WorkerState.Ended, _time.GetUtcNow()) with
            {
                End = result.Output.End,
                Seconds = result.Output.Seconds,
                Counts = result.Counts,
                LastError = result.Output.Reason,
                Partitions = result.Partitions.Count > WorkerProgress.MaxPartitions ? [] : [.. result.Partitions.Select(
                    partition => new PartitionProgress(partition.Min, partition.Max, partition.Counts))],
            },
            cancellationToken);
}

/// <summary>Runs legs against one account.</summary>
public interface ILegRunner
{
    /// <summary>Runs a leg to its end and keeps its result. A leg that has a result is not run again: its result is returned.</summary>
    /// <exception cref="LegLostException">The leg could not begin. The message contains no secrets.</exception>
    Task<LegOutput> RunAsync(LegInput leg, CancellationToken cancellationToken);
}

/// <summary>Reports what a worker does before the first operation of a leg, and what it retries meanwhile.</summary>
internal sealed class LegReporter(LegInput leg, int attempt, IProgressSink progress, TimeProvider time)
{
    /// <summary>
    /// Sequence numbers that an activity may use. Activities before running have negative numbers, in their order; running counts from 1.
    /// </summary>
    private const long ReportsPerActivity = 1_000_000;

    private long _reports;

    /// <summary>Reports an activity that comes before <see cref="WorkerState.Running"/>.</summary>
    /// <param name="warning">What is retried, and why; null for nothing.</param>
    public async Task ReportAsync(WorkerState activity, string? warning, CancellationToken cancellationToken)
    {
        var sequence = (((int)activity - (int)WorkerState.Running) * ReportsPerActivity) + Interlocked.Increment(ref _reports);
        var report = WorkerProgress.From(leg, attempt, sequence, activity, time.GetUtcNow());
        await progress.ReportAsync(warning is null ? report : report with { Warning = LegOutput.Shorten(warning) }, cancellationToken);
    }
}
