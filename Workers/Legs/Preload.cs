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

        var written = await WriteAsync(ShareOf(assignment), WorkloadKinds.NeedsDocuments, partitions, cancellationToken);
        if (written.Share is { } share)
            await files.CreatePreloadIfAbsentAsync(assignment.Worker, share, cancellationToken);
        return written;
    }

    /// <summary>
    /// Writes what all workers address of the shares that are not finished. Their workers may still be writing: then each finds the
    /// documents of the other, and reports the RU that it used itself. What an operation deletes is not written here, because its worker
    /// may have deleted it meanwhile.
    /// </summary>
    public async Task<(PreloadShare? Share, LegEnd End, string? Reason)> WriteForOthersAsync(
        PartitionRanges partitions, CancellationToken cancellationToken)
    {
        var workload = assignment.Workload;
        var areShared = workload.Mix is null ? workload.Kind != WorkloadKind.Delete : workload.Choose == DocumentOrder.Zipf;
        var finished = await files.ListPreloadedAsync(cancellationToken);
        var missing = areShared ? Enumerable.Range(0, assignment.Workers).Except(finished).ToList() : [];
        if (missing.Count == 0)
            return (new PreloadShare(0, 0), LegEnd.SliceDone, null);

        var warning = $"writes the documents that {Missing(missing)} not written by the end of startTimeout";
        await reporter.ReportAsync(WorkerState.Preloading, warning, cancellationToken);
        var slices = Slices.Cut(assignment.Documents, assignment.Workers, workload.DocumentsPerOperation);
        var shares = missing.SelectMany(worker => ShareOf(assignment with { Worker = worker, Slice = slices[worker] }));
        return await WriteAsync([.. shares], WorkloadKinds.AddressesAnyDocument, partitions, cancellationToken);
    }

    /// <param name="kinds">The kinds of a mix whose documents are written.</param>
    private async Task<(PreloadShare? Share, LegEnd End, string? Reason)> WriteAsync(
        IReadOnlyList<NumberRange> shares, Func<WorkloadKind, bool> kinds, PartitionRanges partitions, CancellationToken cancellationToken)
    {
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
            foreach (var slice in shares.Where(slice => slice.Count > 0 && control.Taking))
                await WriteAsync(slice, LeftOutOf(slice, kinds), context, control, meter, pace);
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
        var written = new PreloadShare(
            totals.Inserted + totals.AlreadyPresent, totals.RequestUnits + totals.ThrottledRequestUnits, totals.Throttled);
        return (written, LegEnd.SliceDone, null);
    }

    private static string Missing(List<int> workers) =>
        workers is [var one] ? $"worker {one} has" : $"{workers.Count} workers, the first of them worker {workers[0]}, have";

    /// <summary>Numbers of a mix whose documents are not written here.</summary>
    private NumberSet LeftOutOf(NumberRange slice, Func<WorkloadKind, bool> kinds)
    {
        if (assignment.Workload.Mix is not { } mix)
            return NumberSet.Empty;
        var pattern = MixPattern.For(mix);
        var leftOut = new List<NumberRange>();
        for (var number = slice.First; number < slice.End; number++)
        {
            if (!kinds(pattern.KindOf(number)))
                leftOut.Add(new NumberRange(number, 1));
        }

        return NumberSet.From(leftOut);
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
            await stop.PollAsync(cancellationToken);
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
