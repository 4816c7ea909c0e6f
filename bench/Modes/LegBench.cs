using ScaleOut.Bench.WorkerCpu;
using ScaleOut.Progress;
using ScaleOut.Slicing;
using ScaleOut.Workers.Legs;
using ScaleOut.Workers.Storage;
using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Bench.Modes;

/// <summary>
/// Runs legs as a worker runs its second leg and those after it: with the client of the legs before, and without the start barrier, which
/// only waits. All legs of an instance have the same kind of documents.
/// </summary>
public sealed class LegBench : IAsyncDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("scaleout-bench-");
    private readonly FolderRunStore _store;
    private readonly LegRunner _runner;
    private readonly ContainerTarget _target;
    private long _next;

    public LegBench(AccountConnection account, ContainerTarget target, IRunTelemetry? telemetry = null)
    {
        _store = new FolderRunStore(_folder.FullName);
        _runner = new LegRunner(_store, account, new NoProgress(), telemetry: telemetry is null ? [] : [telemetry]);
        _target = target;
    }

    /// <summary>Runs a leg over new documents until the time is over or <paramref name="documents"/> are done.</summary>
    /// <exception cref="InvalidOperationException">It did not do what was asked.</exception>
    public async Task<LegResult> RunAsync(LegSettings settings, TimeSpan duration, long documents = 100_000_000) =>
        (await RunMeasuredAsync(settings, duration, documents)).Result;

    /// <summary>
    /// CPU seconds of this process while a leg writes new documents. What only a run does, such as its claim, is not in them.
    /// </summary>
    /// <exception cref="InvalidOperationException">It did not do what was asked.</exception>
    public async Task<double> CpuOfAsync(LegSettings settings, long documents) =>
        (await RunMeasuredAsync(settings, TimeSpan.FromMinutes(20), documents)).CpuSeconds;

    private async Task<(LegResult Result, double CpuSeconds)> RunMeasuredAsync(LegSettings settings, TimeSpan duration, long documents)
    {
        const string runId = "bench";
        var slice = new NumberRange(_next, documents);
        _next = slice.End;
        // Only a claim makes the folder of a run.
        await new RunFiles(_store, runId).TryClaimAsync(new RunSpec { Id = runId, Documents = documents }, CancellationToken.None);
        var leg = new LegInput
        {
            Leg = 2,
            Next = slice.First,
            Assignment = new WorkerAssignment
            {
                RunId = runId,
                Worker = 0,
                Workers = 1,
                Slice = slice,
                Workload = new WorkloadSpec { Kind = settings.Workload },
                Document = settings.Document,
                Client = new ClientSettings { ConnectionMode = settings.Mode, Concurrency = settings.InFlight },
                Container = _target,
                LegDuration = duration,
                StartTimeout = TimeSpan.FromMinutes(1),
            },
        };
        LegOutput? output = null;
        var cpuSeconds = await ProcessCpu.OfAsync(async () => output = await _runner.RunAsync(leg, CancellationToken.None));
        if (output!.End is not (LegEnd.SliceDone or LegEnd.TimeUp) || output.Counts.Inserted == 0 || output.Counts.Failed > 0)
            throw new InvalidOperationException(
                $"A leg ended with {output.Counts.Inserted} inserted and {output.Counts.Failed} failed: {output.End} {output.Reason}");
        var result = await new RunFiles(_store, runId).ReadResultAsync(0, 2, CancellationToken.None);
        // The next leg is one with other documents, not one after this.
        await _store.DeleteAsync(runId, _ => true, CancellationToken.None);
        return (result!, cpuSeconds);
    }

    public async ValueTask DisposeAsync()
    {
        await _runner.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    private sealed class NoProgress : IProgressSink
    {
        public ValueTask ReportAsync(WorkerProgress progress, CancellationToken cancellationToken) => ValueTask.CompletedTask;
    }
}
