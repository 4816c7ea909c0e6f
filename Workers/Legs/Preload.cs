namespace ScaleOut.Workers.Legs;

/// <summary>
/// Writes one worker's share of the documents that reads, queries and deletes need. For a mix these are the documents of the operations
/// that need one. This happens before the start and is not measured. The preload writes in bulk with its own client, within the RU/s limit
/// of the workload. Documents of an earlier attempt count as written. There is no time limit; the run's stop flag ends the preload.
/// </summary>
internal sealed class Preload(
    WorkerAssignment assignment, AccountConnection account, RunFiles files, IDocumentSource documents, LegReporter reporter)
{
    private const int InFlight = 400;

    /// <summary>The length that the meter requires. The preload does not use the meter's seconds.</summary>
    private static readonly TimeSpan CountedTime = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Document numbers that a worker writes. The shares of all workers make up the preload, without overlap. For deletes a worker writes
    /// what it deletes itself, so that it may begin while another still preloads.
    /// </summary>
    public static IReadOnlyList<NumberRange> ShareOf(WorkerAssignment assignment)
    {
        if (assignment.Workload.Mix is not null)
            return [assignment.Slice];
        var preload = assignment.Preload;
        if (assignment.Workload.Kind != WorkloadKind.Delete)
            return [Slices.Cut(preload, assignment.Workers, unit: 1)[assignment.Worker]];
        var deleted = Math.Max(assignment.Documents, assignment.Slice.End);
        if (preload <= deleted)
            return [assignment.Slice];
        var rest = Slices.Cut(preload - deleted, assignment.Workers, unit: 1)[assignment.Worker];
        return [assignment.Slice, rest with { First = deleted + rest.First }];
    }

    /// <summary>
    /// Writes the share, unless an earlier attempt has finished it. Returns what was written, or why it could not be finished.
    /// </summary>
    public async Task<(PreloadShare? Share, LegEnd End, string? Reason)> WriteAsync(
        PartitionRanges partitions, CancellationToken cancellationToken)
    {
        if (await files.ReadPreloadAsync(assignment.Worker, cancellationToken) is { } kept)
            return (kept, LegEnd.SliceDone, null);

        var pace = await RequestUnitPace.FromAsync(assignment, files, cancellationToken);
        using var control = new LegControl(cancellationToken);
        var meter = new LegMeter(new LegClock(TimeProvider.System), partitions, CountedTime);
        using var watching = new CancellationTokenSource();
        var watch = WatchAsync(control, meter, watching.Token);
        var settings = new ClientSettings { ConnectionMode = ConnectionMode.Gateway, Concurrency = InFlight };
        try
        {
            using var client = CosmosClientFactory.Create(account, settings, bulk: true);
            var container = client.GetContainer(assignment.Container.Database, assignment.Container.Name);
            var context = new OperationContext(container, documents, partitions, ContentResponseOnWrite: false);
            foreach (var slice in ShareOf(assignment).Where(slice => slice.Count > 0 && control.Taking))
                await WriteAsync(slice, LeftOutOf(slice), context, control, meter, pace);
        }
        finally
        {
            await watching.CancelAsync();
            await watch;
        }

        cancellationToken.ThrowIfCancellationRequested();
        if (control.End is { } end)
            return (null, end, control.Reason);
        if (meter.Totals.Failed > 0)
            return (null, LegEnd.Rejected, $"{meter.Totals.Failed} of the documents to work on could not be written: "
                + $"{string.Join("; ", meter.Failures.Take(3))}");

        var totals = meter.Totals;
        var share = new PreloadShare(
            totals.Inserted + totals.AlreadyPresent, totals.RequestUnits + totals.ThrottledRequestUnits, totals.Throttled);
        await files.CreatePreloadIfAbsentAsync(assignment.Worker, share, cancellationToken);
        return (share, LegEnd.SliceDone, null);
    }

    /// <summary>Numbers of a mix whose documents the measured part writes.</summary>
    private NumberSet LeftOutOf(NumberRange slice)
    {
        if (assignment.Workload.Mix is not { } mix)
            return NumberSet.Empty;
        var pattern = MixPattern.For(mix);
        var written = new List<NumberRange>();
        for (var number = slice.First; number < slice.End; number++)
        {
            if (!pattern.KindOf(number).NeedsDocuments())
                written.Add(new NumberRange(number, 1));
        }

        return NumberSet.From(written);
    }

    private static async Task WriteAsync(
        NumberRange slice, NumberSet leftOut, OperationContext context, LegControl control, LegMeter meter, RequestUnitPace pace)
    {
        var progress = new SliceNumbers(slice, slice.First, 1, leftOut);
        var schedule = new Schedule(documentsPerSecond: null, slice.First);
        var loops = Enumerable.Range(0, (int)Math.Min(InFlight, slice.Count))
            .Select(loop => new OperationLoop(
                control, progress, meter, NumberSet.Empty, schedule, new PointOperation(context, upsert: false), loop, pace))
            .ToList();
        await LegLoops.RunAsync(loops, control);
    }

    private async Task WatchAsync(LegControl control, LegMeter meter, CancellationToken cancellationToken)
    {
        var stop = new StopPoll(files, control);
        var (done, advancedAt) = (0L, Stopwatch.GetTimestamp());
        while (!cancellationToken.IsCancellationRequested)
        {
            await Task.Delay(LegTimes.StopPoll, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            control.EndIfSilent(meter);
            if (meter.Totals.Inserted + meter.Totals.AlreadyPresent is var now && now != done)
                (done, advancedAt) = (now, Stopwatch.GetTimestamp());
            if (cancellationToken.IsCancellationRequested)
                return;
            await stop.LookAsync(cancellationToken);
            if ((stop.Warning ?? Stall(meter, advancedAt)) is { } warning)
                await reporter.ReportAsync(WorkerState.Preloading, warning, cancellationToken);
        }
    }

    private static string? Stall(LegMeter meter, long advancedAt) =>
        Stopwatch.GetElapsedTime(advancedAt) is var still && still > TransientRetry.QuietTime
            && (meter.LastError ?? (meter.Totals.Throttled > 0 ? "429" : null)) is { } error
            ? $"none of the documents to work on could be written for {still.TotalSeconds:0} s: {error}; tried again"
            : null;
}
