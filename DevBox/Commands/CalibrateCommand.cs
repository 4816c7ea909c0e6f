namespace ScaleOut.DevBox.Commands;

/// <summary><c>calibrate</c>: the experiment <c>plans/calibration.json</c> on an account, and the profile of its reports.</summary>
internal sealed class CalibrateCommand
{
    private readonly AccountConnectionOptions _account = new();

    private readonly IReadOnlyList<SpecOption> _options =
    [
        new("--repeats", "repeats"),
        new("--database", "base.container.database", "name"),
        new("--id", "id", "id", "The experiment's id (default: made from the time). The same id goes on with one that was interrupted."),
    ];

    private readonly RunsFolderOption _out = new();
    private readonly ProfileOutput _output = new();

    public Command Create() => new CommandWithExamples(
        "calibrate",
        "Measures what an account's operations cost and how long they take: runs the plan 'calibration', and makes its profile.",
        RunAsync,
        ("calibrate --account https://my.documents.azure.com", "profile.json, and its page profile.html; key in COSMOS_KEY"),
        ("calibrate --account https://my.documents.azure.com --id spring", "goes on when it is given again"))
    {
        _account.All, _options, _out, _output.All,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var account = errors.Try(() => _account.Read(input));
        var runsFolder = errors.Try(() => _out.Read(input));
        _output.CheckFiles(input, errors);
        var target = _account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        var spec = errors.Try(() => ReadPlan(input, target));
        errors.ThrowIfAny();
        await AccountConnectionOptions.EnsureReachableAsync(
            account, [.. spec!.Variants.Select((_, variant) => GridPlanner.PlanOf(spec, variant))], cancellationToken);

        var experiment = spec with { Id = spec.Id ?? ExperimentIds.New(TimeProvider.System.GetUtcNow()) };
        var folder = new RunFolder(runsFolder!, experiment.Id);
        using var stop = new ExperimentStop();
        using var signals = JobSignals.Listen(stop.Request, stop.Kill);
        var (taken, claimed) = await new JobClaim(input, folder).TakeAsync(experiment, account, tables: null, cancellationToken);
        using var held = taken;
        var measured = await new ExperimentExecution(input, folder, account, tables: null, stop).MeasureAsync(_output, claimed);
        if (measured is not { State: not ExperimentState.Stopped })
            return measured is null ? ExitCode.Incomplete : ExitCode.Stopped;
        await _output.WriteAsync(input, await ExperimentProfile.MakeAsync(folder, cancellationToken));
        return measured.State == ExperimentState.Complete ? ExitCode.Complete : ExitCode.Incomplete;
    }

    private ExperimentSpec ReadPlan(CommandInput input, RunTarget target)
    {
        var given = _options.Where(option => input.Value(option) is not null).ToList();
        var plan = ExperimentOptions.Read(
            ReadyPlans.TextOf(ReadyPlans.Calibration), ReadyPlans.Calibration, target,
            fields => given.ForEach(option => option.Set(fields, input.Value(option)!)), given);
        ExperimentOptions.CheckMachine(plan, ReadyPlans.Calibration, target, given);
        return plan;
    }
}
