using ScaleOut.DevBox.Accounts;
using ScaleOut.DevBox.Display;
using ScaleOut.Experiments;
using ScaleOut.Experiments.Reporting;
using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Reports.Writers;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Engine;

/// <summary>Experiments on one machine: each run has its worker processes and, unless it goes to another account, a simulated account of its own.</summary>
/// <param name="runsFolder">Holds the folders of the experiment and of its runs.</param>
/// <param name="experimentId">Claimed id.</param>
/// <param name="account">Where all runs go; null for simulated accounts.</param>
/// <param name="stop">Is asked before each run, and told which one is on.</param>
/// <param name="display">Shows the runs.</param>
internal sealed class LocalExperimentPort(string runsFolder, string experimentId, AccountConnection? account, ExperimentStop stop, IExperimentDisplay display) : IExperimentPort
{
    private readonly FolderRunStore _store = new(runsFolder);

    /// <summary>An experiment's runs on this machine, as they are claimed.</summary>
    /// <param name="spec">With its id.</param>
    /// <param name="simulated">Whether each has a simulated account of its own.</param>
    public static IEnumerable<ExperimentRun> TestableRunsOf(ExperimentSpec spec, bool simulated) =>
        ExperimentRuns.Of(spec).Where(run => WhyNotTestableHere(run) is null).Select(run => run with { Spec = ClaimedSpecOf(run, simulated) });

    /// <inheritdoc/>
    public DateTimeOffset UtcNow => DateTimeOffset.UtcNow;

    /// <inheritdoc/>
    public string? WhyNotTestable(ExperimentRun run) => WhyNotTestableHere(run);

    /// <inheritdoc/>
    public Task<bool> IsStopRequestedAsync() => Task.FromResult(stop.IsRequested);

    /// <inheritdoc/>
    public async Task<RunOutcome> RunAsync(ExperimentRun run)
    {
        var spec = ClaimedSpecOf(run, simulated: account is null);
        var folder = new RunFolder(runsFolder, spec.Id!);
        var files = new RunFiles(_store, folder.RunId);
        // Before the lock, as another run that is on holds it.
        await CheckClaimAsync(files, spec);
        using var runLock = RunLock.TryTake(folder) ?? throw new InvalidOperationException($"run '{folder.RunId}' is being run by another process");
        if (await CheckClaimAsync(files, spec))
        {
            if (await ReadMeasuredAsync(files) is { } measured)
            {
                display.Found(run, measured);
                return OutcomeOf(measured);
            }

            // A measurement with a break in it is none.
            await RunLeftovers.DiscardAsync(folder, files);
        }

        if (!await files.TryClaimAsync(spec, CancellationToken.None))
            throw new RunIdInUseException(folder.RunId);
        var result = await MeasureAsync(run, spec, folder);
        display.Ended(run, result);
        return result.Outcome;
    }

    /// <inheritdoc/>
    public async Task DelayAsync(TimeSpan delay)
    {
        var end = UtcNow + delay;
        while (!stop.IsRequested && end - UtcNow is var left && left > TimeSpan.Zero)
            await Task.Delay(left < TimeSpan.FromSeconds(0.2) ? left : TimeSpan.FromSeconds(0.2));
    }

    /// <inheritdoc/>
    public Task<ExperimentOutcome> SaveReportAsync(ExperimentEnding ending) => ExperimentReportSaver.SaveAsync(_store, ending, CancellationToken.None);

    /// <inheritdoc/>
    public void PublishStatus(ExperimentStatus status)
    {
        display.Show(status);
        // On one machine this is one file; what reads it finds it whole or not at all.
        new ExperimentFiles(_store, experimentId).WriteStatusAsync(status, CancellationToken.None).GetAwaiter().GetResult();
    }

    private static string? WhyNotTestableHere(ExperimentRun run) => MachineLimits.WhyNotTestable(run.Spec, Environment.ProcessorCount);

    private static RunSpec ClaimedSpecOf(ExperimentRun run, bool simulated) => simulated ? run.Spec with { Simulation = run.Spec.Simulation ?? new SimulationSpec() } : run.Spec;

    private async Task<RunResult> MeasureAsync(ExperimentRun run, RunSpec spec, RunFolder folder)
    {
        var opened = account is null ? await RunAccounts.StartAsync(folder, spec, stop.GiveUp) : await RunAccounts.UseAsync(folder, account, stop.GiveUp);
        await using var session = new RunSession(spec, folder, opened);
        stop.Watch(session);
        try
        {
            return await display.ShowWhileAsync(run, session.Board, session.RunAsync());
        }
        finally
        {
            stop.Watch(null);
        }
    }

    /// <summary>Whether the run was claimed before.</summary>
    /// <exception cref="RunIdInUseException">Its id was claimed for another run.</exception>
    private static async Task<bool> CheckClaimAsync(RunFiles files, RunSpec spec)
    {
        if (await files.ReadSpecAsync(CancellationToken.None) is not { } claimed)
            return false;
        return ClaimedRun.IsSame(claimed, spec) ? true : throw new RunIdInUseException(spec.Id!);
    }

    /// <summary>The report of a run that is measured; null when it came to something else.</summary>
    private static async Task<RunReport?> ReadMeasuredAsync(RunFiles files) =>
        await files.ReadReportAsync("report.json", CancellationToken.None) is { } json && JsonReportWriter.Read(json) is var report && MeasuredRuns.IsMeasured(report.State) ? report : null;

    private static RunOutcome OutcomeOf(RunReport report) => new()
    {
        RunId = report.Id,
        State = report.State,
        Documents = new() { Inserted = report.Documents.Inserted, AlreadyPresent = report.Documents.AlreadyPresent, Failed = report.Documents.Failed },
        Remaining = report.Documents.Remaining,
        Verified = report.Documents.Verified,
    };
}
