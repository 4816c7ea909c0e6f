using System.Collections.Concurrent;
using ScaleOut.Experiments;
using ScaleOut.Experiments.Reporting;
using ScaleOut.Experiments.Reporting.Writers;
using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Simulator.Accounts;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Experiments;

/// <summary>
/// Experiments without processes: real legs on the real SDK against simulated accounts, all within the test. Runs are measured several at a time before the
/// orchestration asks for them, which a machine for measurements must not do.
/// </summary>
internal sealed class InProcessExperimentPort(int atOnce) : IExperimentPort, IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly ConcurrentDictionary<string, RunOutcome> _measured = new();

    public DateTimeOffset UtcNow => DateTimeOffset.UtcNow;

    /// <summary>Runs an experiment to its report.</summary>
    public async Task<ExperimentReport> RunAsync(ExperimentSpec spec)
    {
        await Parallel.ForEachAsync(
            ExperimentRuns.Of(spec),
            new ParallelOptions { MaxDegreeOfParallelism = atOnce, CancellationToken = TestContext.Current.CancellationToken },
            async (run, cancellation) => _measured[run.Spec.Id!] = await MeasureAsync(run.Spec, cancellation));
        await ExperimentOrchestration.RunAsync(this, spec);
        var json = await new ExperimentFiles(Store, spec.Id!).ReadReportAsync("report.json", TestContext.Current.CancellationToken);
        return ExperimentJsonWriter.Read(json);
    }

    public string? WhyNotTestable(ExperimentRun run) => null;

    public Task<bool> IsStopRequestedAsync() => Task.FromResult(false);

    public Task<RunOutcome> RunAsync(ExperimentRun run) => Task.FromResult(_measured[run.Spec.Id!]);

    public Task DelayAsync(TimeSpan delay) => Task.CompletedTask;

    public Task<ExperimentOutcome> SaveReportAsync(ExperimentEnding ending) => ExperimentReportSaver.SaveAsync(Store, ending, TestContext.Current.CancellationToken);

    public void PublishStatus(ExperimentStatus status)
    {
    }

    public void Dispose() => _folder.Dispose();

    private FolderRunStore Store => new(_folder.Path);

    private async Task<RunOutcome> MeasureAsync(RunSpec spec, CancellationToken cancellation)
    {
        await using var account = await SimulatedAccount.StartAsync(SimulatedAccountOptions.From(spec.Simulation ?? new SimulationSpec(), spec.Seed), cancellation);
        var connection = account.Connection();
        using var containers = new ContainerControl(connection);
        var files = new RunFiles(Store, spec.Id!);
        await files.TryClaimAsync(spec, cancellation);
        if (spec.Workers == 1)
        {
            // One worker has nobody to start together with.
            await files.SetStartAsync(new StartInstant(DateTimeOffset.UtcNow, 1), cancellation);
        }

        await using var port = new InProcessRunPort(Store, connection, containers);
        return await RunOrchestration.RunAsync(port, spec);
    }
}
