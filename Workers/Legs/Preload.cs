namespace ScaleOut.Workers.Legs;

/// <summary>
/// Writes one worker's share of the documents that reads, queries, patches, replaces and deletes need. For a mix these are the documents of
/// the operations that need one. This happens before the start and is not measured. The preload writes in bulk with its own client, within
/// the RU/s limit of the workload. Documents of an earlier attempt count as written. There is no time limit; the run's stop flag ends the
/// preload.
/// </summary>
internal sealed class Preload(
    WorkerAssignment assignment, AccountConnection account, RunFiles files, IDocumentSource documents, LegReporter reporter,
    AnchoredClock utc)
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
        if (!assignment.Workload.DeletesEach)
            return [Slices.Cut(preload, assignment.Workers, unit: 1)[assignment.Worker]];
        var deleted = Math.Max(assignment.Documents, assignment.Slice.End);
        if (preload <= deleted)
            return [assignment.Slice];
        var rest = Slices.Cut(preload - deleted, assignment.Workers, unit: 1)[assignment.Worker];
        return [assignment.Slice, rest with { First = deleted + rest.First }];
    }

    /// <summary>Writes the share, unless an earlier attempt has finished it.</summary>
    /// <returns>What was written, and why it is not the whole share; null if it is.</returns>
    public async Task<(PreloadShare Written, LegEnd? End, string? Reason)> WriteAsync(
        PartitionRanges partitions, CancellationToken cancellationToken)
    {
        if (await files.ReadPreloadAsync(assignment.Worker, cancellationToken) is { } kept)
            return (kept, null, null);

        var share = await WriteAsync(ShareOf(assignment), WorkloadKinds.NeedsDocuments, partitions, cancellationToken);
        if (share.End is null)
            await files.CreatePreloadIfAbsentAsync(assignment.Worker, share.Written, cancellationToken);
        return share;
    }

    /// <summary>
    /// Writes those documents of another worker's share that any worker may address. That worker may still be writing: then each finds the
    /// documents of the other, and reports the RU that it used itself. What an operation deletes is not written here, because its worker
    /// may have deleted it meanwhile. Ends early, as <see cref="LegEnd.Stopped"/>, when the share is written or the common start is set.
    /// </summary>
    /// <returns>What was written, and why it is not the whole share; null if it is.</returns>
    public Task<(PreloadShare Written, LegEnd? End, string? Reason)> WriteForAsync(
        int worker, PartitionRanges partitions, CancellationToken cancellationToken)
    {
        var slice = Slices.Cut(assignment.Documents, assignment.Workers, assignment.Workload.DocumentsPerOperation)[worker];
        var share = ShareOf(assignment with { Worker = worker, Slice = slice });
        return WriteAsync(share, WorkloadKinds.AddressesAnyDocument, partitions, cancellationToken, missing: worker);
    }

    /// <param name="kinds">The kinds of a mix whose documents are written.</param>
    /// <param name="missing">The worker whose share it is; null for this one.</param>
    private async Task<(PreloadShare Written, LegEnd? End, string? Reason)> WriteAsync(
        IReadOnlyList<NumberRange> share,
        Func<WorkloadKind, bool> kinds,
        PartitionRanges partitions,
        CancellationToken cancellationToken,
        int? missing = null)
    {
        var pace = await RequestUnitPace.FromAsync(assignment, files, utc.Time, cancellationToken);
        using var control = new LegControl(cancellationToken, utc.Time);
        var meter = new LegMeter(new LegClock(utc), partitions, CountedTime);
        using var watching = new CancellationTokenSource();
        var watch = WatchAsync(missing, control, meter, watching.Token);
        var settings = new ClientSettings { ConnectionMode = ConnectionMode.Gateway, Concurrency = InFlight };
        try
        {
            using var client = CosmosClientFactory.Create(account, settings, bulk: true);
            var container = client.GetContainer(assignment.Container.Database, assignment.Container.Name);
            var context = new OperationContext(container, documents, partitions, ContentResponseOnWrite: false);
            foreach (var slice in share.Where(slice => slice.Count > 0 && control.Taking))
            {
                var progress = new SliceNumbers(slice, slice.First, 1, LeftOutOf(slice, kinds));
                var schedule = new Schedule(documentsPerSecond: null, slice.First, meter.Clock);
                await WriteAsync(slice.Count, context, new LoopContext(control, progress, meter, schedule, pace, NumberSet.Empty));
            }
        }
        finally
        {
            await watching.CancelAsync();
            await watch;
        }

        cancellationToken.ThrowIfCancellationRequested();
        var totals = meter.Totals;
        var written = new PreloadShare(totals.Inserted + totals.AlreadyPresent, totals.Charged, totals.Throttled);
        if (control.End is { } end)
            return (written, end, control.Reason);
        if (totals.Failed > 0)
            return (written, LegEnd.Rejected, $"{totals.Failed} of the documents to work on could not be written: "
                + $"{string.Join("; ", meter.Failures.Take(3))}");
        return (written, null, null);
    }

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

    private static async Task WriteAsync(long count, OperationContext operations, LoopContext loops) => await LegLoops.RunAsync(
        [.. Enumerable.Range(0, (int)Math.Min(InFlight, count))
            .Select(loop => new OperationLoop(loops, new PointOperation(operations, upsert: false), loop))],
        loops.Control);

    private async Task WatchAsync(int? missing, LegControl control, LegMeter meter, CancellationToken cancellationToken)
    {
        var stop = new StopPoll(files, control);
        var (done, advancedAt) = (0L, utc.Time.GetTimestamp());
        while (!cancellationToken.IsCancellationRequested)
        {
            await Task.Delay(LegTimes.NextPoll(assignment.Workers), utc.Time, cancellationToken)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            control.EndIfSilent(meter);
            if (meter.Totals.Inserted + meter.Totals.AlreadyPresent is var now && now != done)
                (done, advancedAt) = (now, utc.Time.GetTimestamp());
            if (cancellationToken.IsCancellationRequested)
                return;
            await stop.PollAsync(cancellationToken);
            if (missing is { } worker)
                await EndIfWrittenAsync(worker, control, cancellationToken);
            if ((stop.Warning ?? Stall(meter, advancedAt)) is { } warning)
                await reporter.ReportAsync(missing is null ? WorkerState.Preloading : WorkerState.Waiting, warning, cancellationToken);
        }
    }

    private async Task EndIfWrittenAsync(int worker, LegControl control, CancellationToken cancellationToken)
    {
        try
        {
            if (await files.ReadStartAsync(cancellationToken) is not null
                || (await files.ListPreloadedAsync(cancellationToken)).Contains(worker))
                control.EndWith(LegEnd.Stopped, LegTimes.DrainWhenStopped);
        }
        catch (Exception)
        {
            // The barrier reads both after this share.
        }
    }

    private string? Stall(LegMeter meter, long advancedAt) =>
        utc.Time.GetElapsedTime(advancedAt) is var still && still > TransientRetry.QuietTime
            && (meter.LastError ?? (meter.Totals.Throttled > 0 ? "429" : null)) is { } error
            ? $"none of the documents to work on could be written for {still.TotalSeconds:0} s: {error}; tried again"
            : null;
}
