using System.Collections.Concurrent;
using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Legs;

namespace ScaleOut.Tests.Experiments;

/// <summary>One run without processes: every worker is a client of its own within the test.</summary>
internal sealed class InProcessRunPort(IRunStore store, AccountConnection account, ContainerControl containers) : IRunPort, IAsyncDisposable
{
    private readonly ConcurrentDictionary<int, LegRunner> _runners = new();

    public string RunInstanceId => "run";

    public DateTimeOffset UtcNow => DateTimeOffset.UtcNow;

    public Task<Preparation> PrepareContainerAsync(RunSpec spec) => containers.PrepareAsync(spec, store, CancellationToken.None);

    public Task<IReadOnlyList<WorkerOutcome>> RunGroupAsync(WorkerGroup group) => GroupOrchestration.RunAsync(this, group);

    public async Task<WorkerOutcome> RunWorkerAsync(WorkerState worker)
    {
        while (true)
        {
            var turn = await WorkerOrchestration.RunTurnAsync(this, worker);
            if (turn.Outcome is { } outcome)
                return outcome;
            worker = turn.Continue!;
        }
    }

    public Task<LegOutput> RunLegAsync(LegInput leg) =>
        _runners.GetOrAdd(leg.Assignment.Worker, _ => new LegRunner(store, account, new NoProgress())).RunAsync(leg, CancellationToken.None);

    public Task<Verification> VerifyAsync(PreparedContainer container) => containers.VerifyAsync(container, CancellationToken.None);

    public Task<RunOutcome> SaveReportAsync(RunEnding ending) => ReportSaver.SaveAsync(store, ending, CancellationToken.None);

    public Task CleanUpAsync(PreparedContainer container) => Task.CompletedTask;

    public Task DelayAsync(TimeSpan delay) => Task.Delay(delay);

    public void PublishStatus(RunStatus status)
    {
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var runner in _runners.Values)
            await runner.DisposeAsync();
    }
}
