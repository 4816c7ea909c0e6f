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
    private static readonly TimeSpan OpeningTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(0.1);

    private readonly TimeProvider _time = clock ?? TimeProvider.System;
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
            var (kept, lost) = await files.ReadEarlierOutputAsync(leg, isStopped, cancellationToken);
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
        var measured = await RunAttemptAsync(leg, numbers, attempt, files, reporter, cancellationToken);
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

    private async Task<LegResult> RunAttemptAsync(
        LegInput leg, LegNumbers numbers, int attempt, RunFiles files, LegReporter reporter, CancellationToken cancellationToken)
    {
        var assignment = leg.Assignment;
        using var open = _runs.Enter(assignment.RunId);
        var clock = open.Run.Clock;
        var receivedAt = clock.UtcNow;
        IWorkerClient? client = null;
        PartitionRanges partitions;
        IDocumentSource documents;
        PreloadShare? preloaded = null;
        try
        {
            documents = open.Run.DocumentsFor(assignment);
            client = await RetriedAsync(
                token => open.Run.ClientForAsync(
                    account, assignment, begins: leg.Leg == 1 && attempt == 1, error => ReportRetryAsync(error, reporter, token), token),
                reporter,
                cancellationToken);
            partitions = await RetriedAsync(client.ReadPartitionsAsync, reporter, cancellationToken);
        }
        catch (DocumentException e)
        {
            return Nothing(LegEnd.Rejected, e.Message);
        }
        catch (Exception e) when (AccountErrors.IsAccountError(e) && !cancellationToken.IsCancellationRequested)
        {
            var error = AccountErrors.Describe(e, account);
            // All workers wait for each other's first leg, so the leg counts as lost and is run again.
            if (error.Kind == AccountErrorKind.Transient && leg.Leg == 1)
                throw new LegLostException(error.Message, e);
            return Nothing(error.Kind == AccountErrorKind.Rejected ? LegEnd.Rejected : LegEnd.AccountSilent, error.Message);
        }

        StartWait? wait = null;
        if (leg.Leg == 1)
        {
            MissingPreloads? missing = null;
            if (assignment.Preloads)
            {
                await reporter.ReportAsync(WorkerState.Preloading, warning: null, cancellationToken);
                var preload = new Preload(assignment, account, files, documents, reporter);
                (preloaded, var preloadEnd, var reason) = await preload.WriteAsync(partitions, cancellationToken);
                if (preloadEnd is not null)
                    return Nothing(preloadEnd.Value, reason);
                if (MissingPreloads.AreNeeded(assignment))
                    missing = new MissingPreloads(assignment, files, preload, partitions, reporter, preloaded);
            }

            await reporter.ReportAsync(WorkerState.Waiting, warning: null, cancellationToken);
            var barrier = new StartBarrier(
                files, clock, StartBarrier.LeadFor(assignment.Workers, WorkersShareMachine), WorkersShareMachine);
            PrepareLateStart? prepareLateStart = missing is null ? null : missing.WriteAsync;
            wait = await barrier.WaitAsync(
                assignment.Worker, assignment.Workers, assignment.StartTimeout, prepareLateStart, cancellationToken);
            preloaded = missing?.Written ?? preloaded;
            if (wait.Error is not null || wait.Start is null)
                return Nothing(wait.Error is null ? LegEnd.Stopped : LegEnd.Rejected, wait.Error);
        }

        LegResult result;
        try
        {
            result = await new LegExecution(numbers.Input, numbers, attempt, files, _progress, telemetry ?? [], clock)
                .RunAsync(client, partitions, documents, cancellationToken)
                .WaitAsync(LegTimes.DeadlineOf(numbers.Input.Assignment), _time, CancellationToken.None);
        }
        catch (TimeoutException e)
        {
            // A leg that hangs must not block the run, so it counts as lost and is run again.
            throw new LegLostException(
                $"the leg had not ended {LegTimes.DeadlineOf(numbers.Input.Assignment).TotalSeconds:0.#} s after its start", e);
        }
        catch (DocumentException e)
        {
            return Nothing(LegEnd.Rejected, e.Message);
        }

        return result with
        {
            Clocks = ClocksOf(wait?.Skew),
            // A repeated leg did not start with the others.
            StartLatenessMs = wait?.Start is { } start && !numbers.IsRepetition
                ? Math.Max(0, (result.StartedAt - start.At).TotalMilliseconds)
                : null,
            PreloadRequestUnits = preloaded?.RequestUnits ?? 0,
            PreloadThrottled = preloaded?.ThrottledWrites ?? 0,
            Warnings = assignment.Client.Cores is { } cores && cores != Environment.ProcessorCount
                ? [.. result.Warnings, $"client.cores asks for {cores} cores, but the worker has {Environment.ProcessorCount}: "
                    + "it cannot be bound to cores here."]
                : result.Warnings,
        };

        LegClocks ClocksOf(ClockSkew? skew) => new()
        {
            DispatchedAt = leg.DispatchedAt,
            ReceivedAt = receivedAt,
            StepMs = Math.Round(clock.Step.TotalMilliseconds, 1),
            Skew = skew,
        };

        // The result of a leg that ended before its first document. Documents with an unknown outcome from the leg before stay unknown.
        LegResult Nothing(LegEnd end, string? reason)
        {
            var now = clock.UtcNow;
            var opening = client?.TakeOpeningCost() ?? OpeningCost.None;
            return new()
            {
                Output = new LegOutput
                {
                    Worker = assignment.Worker,
                    Leg = leg.Leg,
                    End = end,
                    Next = leg.Next,
                    Reason = LegOutput.Shorten(reason),
                },
                Range = numbers.Range,
                Attempt = attempt,
                StartedAt = now,
                EndedAt = now,
                Clocks = ClocksOf(skew: null),
                DoneAhead = numbers.Range.DoneBefore,
                Uncertain = numbers.Before?.Uncertain ?? [],
                OpeningRequestUnits = opening.Charged,
                OpeningThrottled = opening.ThrottledReads,
                PreloadRequestUnits = preloaded?.RequestUnits ?? 0,
                PreloadThrottled = preloaded?.ThrottledWrites ?? 0,
                AttemptLatency = new(),
                OperationLatency = new(),
                Machine = new MachineProbe().Report([]),
            };
        }
    }

    /// <summary>Retries transient errors for one minute.</summary>
    private Task<T> RetriedAsync<T>(
        Func<CancellationToken, Task<T>> callAsync, LegReporter reporter, CancellationToken cancellationToken) =>
        TransientRetry.RetryAsync(
            callAsync, OpeningTimeout, FirstPause, cancellationToken,
            onRetry: error => ReportRetryAsync(error, reporter, cancellationToken));

    private Task ReportRetryAsync(Exception error, LegReporter reporter, CancellationToken cancellationToken) => reporter.ReportAsync(
        WorkerState.Warming, $"warming up is tried again: {AccountErrors.Describe(error, account).Message}", cancellationToken);

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
