using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Workers.Legs;

/// <summary>
/// Runs legs against one account. A worker's client is made once and used again by its later legs. A leg that has a result in the run store
/// is not run again, so a repeated call gives what the first one gave.
/// </summary>
/// <param name="store">The run store.</param>
/// <param name="clock">Null for the system's.</param>
/// <param name="telemetry">Receives what legs do, as it happens.</param>
/// <param name="logger">Takes what was found damaged; null for none.</param>
public sealed partial class LegRunner(
    IRunStore store,
    AccountConnection account,
    IProgressSink progress,
    TimeProvider? clock = null,
    IEnumerable<ILegTelemetry>? telemetry = null,
    ILogger<LegRunner>? logger = null)
    : ILegRunner, IAsyncDisposable
{
    private static readonly TimeSpan WarmUpTimeout = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(0.1);

    private readonly TimeProvider _time = clock ?? TimeProvider.System;
    private readonly OpenRuns _runs = new(clock ?? TimeProvider.System);

    /// <summary>Whether all workers of a run are on this machine, so that they can start together sooner. Default false.</summary>
    public bool WorkersShareMachine { get; init; }

    /// <inheritdoc/>
    public async Task<LegOutput> RunAsync(LegInput leg, CancellationToken cancellationToken)
    {
        // A function's trace would go with every request through the gateway as a header, which burdens Gateway and not Direct.
        Activity.Current = null;
        var assignment = leg.Assignment;
        var files = new RunFiles(store, assignment.RunId);
        var (kept, damaged) = await files.TakeResultAsync(assignment.Worker, leg.Leg, cancellationToken);
        if (kept is not null)
        {
            var isStopped = await files.IsStopRequestedAsync(cancellationToken);
            if (await LegEvidence.TakeOverAsync(files, leg, kept, isStopped, cancellationToken) is { } output)
                return output;
        }

        var numbers = await LegNumbers.ReadAsync(leg, files, cancellationToken);
        var attempt = leg.Attempt
            ?? await files.ClaimAttemptAsync(assignment.Worker, leg.Leg, MachineProbe.InstanceId, cancellationToken);
        var found = string.Join(' ', numbers.Damaged.Prepend(damaged).OfType<DamagedItem>().Select(item => $"{item.Text}."));
        if (found.Length > 0 && logger is not null)
            LogDamaged(logger, found);
        var reporter = new LegReporter(leg, attempt, progress, _time);
        await reporter.ReportAsync(WorkerActivity.Warming, found.Length > 0 ? found : null, cancellationToken);
        var measured = await RunAttemptAsync(leg, numbers, attempt, files, reporter, cancellationToken);
        var result = await KeepAsync(numbers, measured, files, cancellationToken);
        await ReportEndAsync(leg, attempt, result, cancellationToken);
        return result.Output;
    }

    /// <inheritdoc/>
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
        IWarmClient client;
        PartitionRanges partitions;
        IDocumentSource documents;
        try
        {
            documents = open.Run.DocumentsFor(assignment);
            client = await RetriedAsync(
                token => open.Run.ClientForAsync(account, assignment, begins: leg.Leg == 1 && attempt == 1, token),
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
            // All workers wait for each other's first leg, so that one is tried again as it is.
            if (error.Kind == AccountErrorKind.Transient && leg.Leg == 1)
                throw new LegLostException(error.Message, e);
            var end = error.Kind == AccountErrorKind.Rejected ? LegEnd.Rejected : LegEnd.AccountSilent;
            return Nothing(end, error.Message);
        }

        StartWait? wait = null;
        PreloadShare? preloaded = null;
        if (leg.Leg == 1)
        {
            if (assignment.Preloads)
            {
                await reporter.ReportAsync(WorkerActivity.Preloading, warning: null, cancellationToken);
                var preload = new Preload(assignment, account, files, documents, reporter);
                (preloaded, var preloadEnd, var reason) = await preload.WriteAsync(partitions, cancellationToken);
                if (preloaded is null)
                    return Nothing(preloadEnd, reason);
            }

            await reporter.ReportAsync(WorkerActivity.Waiting, warning: null, cancellationToken);
            var barrier = new StartBarrier(
                files, clock, StartBarrier.LeadFor(assignment.Workers, WorkersShareMachine), WorkersShareMachine);
            wait = await barrier.WaitAsync(assignment.Worker, assignment.Workers, assignment.StartTimeout, cancellationToken);
            if (wait.Error is not null || wait.Start is null)
                return Nothing(wait.Error is null ? LegEnd.Stopped : LegEnd.Rejected, wait.Error);
        }

        LegResult result;
        try
        {
            result = await new LegExecution(numbers.Input, numbers, attempt, files, progress, telemetry ?? [], clock)
                .RunAsync(client, partitions, documents, cancellationToken);
        }
        catch (DocumentException e)
        {
            return Nothing(LegEnd.Rejected, e.Message);
        }

        result = result with { Clocks = ClocksOf(leg, receivedAt, clock, wait?.Skew) };
        // A repetition did not start with the others.
        if (wait?.Start is { } start && !numbers.IsRepetition)
            result = result with { StartLatenessMs = Math.Max(0, (result.StartedAt - start.At).TotalMilliseconds) };
        if (preloaded is not null)
            result = result with { PreloadRequestUnits = preloaded.RequestUnits };
        if (assignment.Client.Cores is { } cores && cores != Environment.ProcessorCount)
            result = result with { Warnings = [.. result.Warnings, $"client.cores asks for {cores} cores, "
                + $"but the worker has {Environment.ProcessorCount}: it cannot be bound to cores here."] };
        return result;

        LegResult Nothing(LegEnd end, string? reason) => NothingDone(
            leg, numbers, attempt, ClocksOf(leg, receivedAt, clock, skew: null), clock.UtcNow, end, reason);
    }

    /// <summary>
    /// Keeps a result. Of a repetition that did not do all that the leg had done none is kept: the later legs would not follow it.
    /// </summary>
    private static async Task<LegResult> KeepAsync(
        LegNumbers numbers, LegResult result, RunFiles files, CancellationToken cancellationToken) =>
        numbers.AsTakenOver(result) is { } whole ? await files.KeepResultAsync(whole, cancellationToken) : numbers.AsLost(result);

    /// <summary>What may pass is tried again for a minute.</summary>
    private Task<T> RetriedAsync<T>(
        Func<CancellationToken, Task<T>> callAsync, LegReporter reporter, CancellationToken cancellationToken) =>
        TransientRetry.RetryAsync(callAsync, WarmUpTimeout, FirstPause, cancellationToken, onRetry: error =>
        {
            var reason = AccountErrors.Describe(error, account).Message;
            return reporter.ReportAsync(WorkerActivity.Warming, $"warming up is tried again: {reason}", cancellationToken);
        });

    private async Task ReportEndAsync(
        LegInput leg, int attempt, LegResult result, CancellationToken cancellationToken) => await progress.ReportAsync(
        WorkerProgress.From(leg, attempt, long.MaxValue, WorkerActivity.Ended, _time.GetUtcNow()) with
        {
            End = result.Output.End,
            Seconds = result.Output.Seconds,
            Counts = result.Counts,
            LastError = result.Output.Reason,
            Partitions = result.Partitions.Count > WorkerProgress.MaxPartitions ? [] : [.. result.Partitions.Select(
                partition => new PartitionProgress(partition.Min, partition.Max, partition.Counts))],
        },
        cancellationToken);

    private static LegClocks ClocksOf(LegInput leg, DateTimeOffset receivedAt, AnchoredClock clock, ClockSkew? skew) =>
        new()
        {
            DispatchedAt = leg.DispatchedAt,
            ReceivedAt = receivedAt,
            StepMs = Math.Round(clock.Step.TotalMilliseconds, 1),
            Skew = skew,
        };

    /// <summary>The result of a leg that ended before its first document. What the leg before it left open stays open.</summary>
    private static LegResult NothingDone(
        LegInput leg, LegNumbers numbers, int attempt, LegClocks clocks, DateTimeOffset endedAt, LegEnd end, string? reason) => new()
    {
        Output = new LegOutput
        {
            Worker = leg.Assignment.Worker,
            Leg = leg.Leg,
            End = end,
            Next = leg.Next,
            Reason = LegOutput.Shorten(reason),
        },
        Range = numbers.Range,
        Attempt = attempt,
        StartedAt = endedAt,
        EndedAt = endedAt,
        Clocks = clocks,
        DoneAhead = numbers.Range.DoneBefore,
        Uncertain = numbers.Before?.Uncertain ?? [],
        AttemptLatency = new(),
        OperationLatency = new(),
        Machine = new MachineProbe().Report([]),
    };

    [LoggerMessage(Level = LogLevel.Warning, Message = "{Found} The leg is run again.")]
    private static partial void LogDamaged(ILogger logger, string found);
}

/// <summary>Runs legs against one account.</summary>
public interface ILegRunner
{
    /// <summary>Runs a leg to its end and keeps its result. A leg that has a result is not run again: its result comes back.</summary>
    /// <exception cref="LegLostException">It could not begin; the message says why, without secrets.</exception>
    Task<LegOutput> RunAsync(LegInput leg, CancellationToken cancellationToken);
}

/// <summary>Reports what a worker does before the first operation of a leg, and what it tries again meanwhile.</summary>
internal sealed class LegReporter(LegInput leg, int attempt, IProgressSink progress, TimeProvider time)
{
    /// <summary>Room for the reports of one activity before those of the next: reports of operations count from 1.</summary>
    private const long ReportsOfActivity = 1_000_000;

    private long _reports;

    /// <summary>Reports an activity that comes before <see cref="WorkerActivity.Running"/>.</summary>
    /// <param name="warning">What it tries again, and why; null when nothing.</param>
    public async Task ReportAsync(WorkerActivity activity, string? warning, CancellationToken cancellationToken)
    {
        var sequence = (((int)activity - (int)WorkerActivity.Running) * ReportsOfActivity) + Interlocked.Increment(ref _reports);
        var report = WorkerProgress.From(leg, attempt, sequence, activity, time.GetUtcNow());
        await progress.ReportAsync(warning is null ? report : report with { Warning = LegOutput.Shorten(warning) }, cancellationToken);
    }
}
