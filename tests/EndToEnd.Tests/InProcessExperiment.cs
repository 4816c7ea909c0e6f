namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// Experiments without processes: real legs on the real SDK run against simulated accounts, all within the test. Several runs are measured
/// at a time, which a machine for measurements must not do, and the orchestrator gets their outcomes.
/// </summary>
internal sealed class InProcessExperiment(int atOnce, TableAccount? tables = null) : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly ConcurrentDictionary<string, RunOutcome> _measured = new();

    /// <summary>Holds the folders of the experiment and its runs.</summary>
    public string Folder => _folder.Path;
    private FolderRunStore Store => new(_folder.Path);

    public async Task<ExperimentReport> RunAsync(ExperimentSpec spec)
    {
        var cancellation = TestContext.Current.CancellationToken;
        _folder.StoreWith(spec.Id!);
        await Parallel.ForEachAsync(
            new GridPlanner(spec).All,
            new ParallelOptions { MaxDegreeOfParallelism = atOnce, CancellationToken = cancellation },
            async (run, token) => _measured[run.Spec.Id!] = await MeasureAsync(run.Spec, token));

        var engine = new LocalEngine(NullLogger.Instance) { DelayAsync = _ => Task.CompletedTask };
        engine.AddOrchestrator<ExperimentTurn, ExperimentOutcome>(
            ExperimentFunctionNames.ExperimentOrchestrator,
            (context, turn) => ExperimentOrchestrator.RunAsync(context, turn, RunPlanner.From(turn.Spec)));
        engine.AddActivity<ExperimentSpec, IReadOnlyDictionary<int, string>>(
            ExperimentFunctionNames.CheckVariants, _ => Task.FromResult<IReadOnlyDictionary<int, string>>(new Dictionary<int, string>()));
        engine.AddActivity<string, bool>(ExperimentFunctionNames.IsExperimentStopRequested, _ => Task.FromResult(false));
        engine.AddActivity<ExperimentRunRequest, ExperimentRunClaim>(
            ExperimentFunctionNames.ClaimExperimentRun, request =>
                Task.FromResult(new ExperimentRunClaim { Measured = _measured[request.Spec.Id!] }));
        engine.AddActivity<ExperimentEnding, ExperimentOutcome>(
            ExperimentFunctionNames.SaveExperimentReport, ending => ExperimentSteps.SaveReportAsync(Store, ending, cancellation));
        await engine.RunAsync<ExperimentOutcome>(
            ExperimentFunctionNames.ExperimentOrchestrator, new ExperimentTurn(spec), ExperimentIds.InstanceId(spec.Id!));
        var json = await new ExperimentFiles(Store, spec.Id!).ReadReportAsync("report.json", cancellation);
        return ExperimentForms.Kind.Read(json);
    }

    public void Dispose() => _folder.Dispose();

    private async Task<RunOutcome> MeasureAsync(RunSpec spec, CancellationToken cancellation)
    {
        await using var account = await SimulatedAccount.StartAsync(
            AccountSettings.From(spec.Simulation ?? new SimulationSpec(), spec.Seed), cancellation);
        var files = new RunFiles(Store, spec.Id!);
        await files.TryClaimAsync(spec, cancellation);
        var connection = spec.Workload.Kind.UsesTables() ? tables!.ToConnection() : account.Connection();
        return await new InProcessRun(connection, Store) { StartTogether = spec.Workers > 1 }.RunAsync(spec, cancellation);
    }
}
