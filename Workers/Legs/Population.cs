using System.Diagnostics;
using ScaleOut.Orchestration;
using ScaleOut.Progress;
using ScaleOut.Slicing;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Documents;
using ScaleOut.Workers.Measuring;
using ScaleOut.Workers.Operations;

namespace ScaleOut.Workers.Legs;

/// <summary>
/// Puts one worker's share of the documents that reads, queries and deletes need, before the start and unmeasured, in bulk with a client of its own.
/// What an earlier attempt put is found there. It takes as long as it takes; the run's stop flag ends it.
/// </summary>
internal sealed class Population(
    WorkerAssignment assignment, AccountConnection account, RunFiles files, IDocumentSource documents, LegTeller teller)
{
    private const int InFlight = 400;

    /// <summary>The seconds are not looked at.</summary>
    private static readonly TimeSpan CountedTime = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Document numbers that a worker puts: all workers' shares together are the population, without overlap. Of deletes a worker puts what it deletes itself, so that it may
    /// begin while another is still at it.
    /// </summary>
    public static IReadOnlyList<Slice> ShareOf(WorkerAssignment assignment)
    {
        var population = assignment.Population;
        if (assignment.Workload.Kind != WorkloadKind.Delete)
            return [Slices.Cut(population, assignment.Workers, unit: 1)[assignment.Worker]];
        var deleted = Math.Max(assignment.Documents, assignment.Slice.End);
        if (population <= deleted)
            return [assignment.Slice];
        var rest = Slices.Cut(population - deleted, assignment.Workers, unit: 1)[assignment.Worker];
        return [assignment.Slice, rest with { First = deleted + rest.First }];
    }

    /// <summary>Puts the share, unless it is there.</summary>
    /// <param name="partitions">The container's physical partitions.</param>
    /// <param name="cancellationToken">Ends it early.</param>
    /// <returns>What was put; or why it could not be finished, as a leg's end and reason.</returns>
    public async Task<(PopulationShare? Share, LegEnd End, string? Reason)> PutAsync(PartitionRanges partitions, CancellationToken cancellationToken)
    {
        if (await files.ReadPopulationAsync(assignment.Worker, cancellationToken) is { } kept)
            return (kept, LegEnd.SliceDone, null);

        using var control = new LegControl(cancellationToken);
        var meter = new LegMeter(new LegClock(TimeProvider.System), partitions, CountedTime);
        using var watching = new CancellationTokenSource();
        var watch = WatchAsync(control, meter, watching.Token);
        var settings = new ClientSettings { ConnectionMode = ConnectionMode.Gateway, Concurrency = InFlight };
        using (var client = CosmosClientFactory.Create(account, settings, bulk: true))
        {
            var container = client.GetContainer(assignment.Container.Database, assignment.Container.Name);
            var context = new OperationContext(container, documents, partitions, ContentResponseOnWrite: false);
            foreach (var slice in ShareOf(assignment).Where(slice => slice.Count > 0 && control.Taking))
                await PutAsync(slice, context, control, meter);
        }

        await watching.CancelAsync();
        await watch;
        cancellationToken.ThrowIfCancellationRequested();
        if (control.End is { } end)
            return (null, end, control.Reason);
        if (meter.Totals.Failed > 0)
            return (null, LegEnd.Refused, $"{meter.Totals.Failed} of the documents to work on could not be put: {string.Join("; ", meter.Failures.Take(3))}");

        var share = new PopulationShare(meter.Totals.Inserted + meter.Totals.AlreadyPresent, meter.Totals.RequestUnits);
        await files.KeepPopulationAsync(assignment.Worker, share, cancellationToken);
        return (share, LegEnd.SliceDone, null);
    }

    private static async Task PutAsync(Slice slice, OperationContext context, LegControl control, LegMeter meter)
    {
        var progress = new SliceProgress(slice, slice.First, 1, NumberRanges.Empty);
        var schedule = new Schedule(documentsPerSecond: null, slice.First);
        var lanes = Enumerable.Range(0, (int)Math.Min(InFlight, slice.Count))
            .Select(_ => new Lane(control, progress, meter, NumberRanges.Empty, schedule, new PointOperation(context, upsert: false)))
            .ToList();
        var work = Task.WhenAll(lanes.Select(lane => Task.Run(lane.RunAsync, CancellationToken.None)));
        await Task.WhenAny(work, control.Overdue);
        foreach (var lane in lanes)
            lane.Leave();
        if (work.IsFaulted)
            await work;
    }

    private async Task WatchAsync(LegControl control, LegMeter meter, CancellationToken cancellationToken)
    {
        var stop = new StopPoll(files, control);
        var (done, advancedAt) = (0L, Stopwatch.GetTimestamp());
        while (!cancellationToken.IsCancellationRequested)
        {
            await Task.Delay(LegLimits.StopPoll, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (meter.UnansweredSince is { } since && Stopwatch.GetElapsedTime(since) > LegLimits.Silence)
                control.EndWith(LegEnd.AccountSilent, TimeSpan.Zero, $"The account has not answered for {LegLimits.Silence.TotalSeconds} s; last error: {meter.LastError ?? "none"}.");
            if (meter.Totals.Inserted + meter.Totals.AlreadyPresent is var now && now != done)
                (done, advancedAt) = (now, Stopwatch.GetTimestamp());
            if (cancellationToken.IsCancellationRequested)
                return;
            await stop.LookAsync(cancellationToken);
            if ((stop.Warning ?? Stall(meter, advancedAt)) is { } warning)
                await teller.TellAsync(WorkerActivity.Populating, warning, CancellationToken.None);
        }
    }

    private static string? Stall(LegMeter meter, long advancedAt) =>
        Stopwatch.GetElapsedTime(advancedAt) is var still && still > Patience.QuietTime
            && (meter.LastError ?? (meter.Totals.Throttled > 0 ? "429" : null)) is { } error
            ? $"none of the documents to work on could be put for {still.TotalSeconds:0} s: {error}; tried again"
            : null;
}
