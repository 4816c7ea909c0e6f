namespace ScaleOut.DevBox.Commands;

/// <summary><c>experiment</c>: all runs of an experiment, one after the other, and the findings that they support.</summary>
internal sealed class ExperimentCommand
{
    private readonly ExperimentOptions _specOptions = new();
    private readonly AccountConnectionOptions _account = new();
    private readonly TableAccountOption _tables = new();
    private readonly ReportOutput _output = new(example: "published.pairs.disagree>0", strict: true);

    public Command Create() => new CommandWithExamples(
        "experiment",
        "Runs an experiment: its variants, each with a simulated account of its own, and a report of the findings.",
        RunAsync,
        ("experiment plans/scale-out.json", "a ready-made one, from 'devbox plans scale-out'"),
        (
            "experiment plans/scale-out.json --scale 0.6 --id scaling",
            "fewer documents; the same command goes on after an interruption"))
    {
        _specOptions.File, _specOptions.All, _account.All, _tables, _output.All,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var runsFolder = errors.Try(() => _output.RunsFolder(input));
        var condition = errors.Try(() => _output.FailIf(input, FailIfNames.OfExperiment));
        _output.CheckFiles(input, errors);
        var account = errors.Try(() => _account.Read(input));
        var tables = errors.Try(() => _tables.Read(input));
        var target = _account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        var spec = await errors.TryAsync(() => _specOptions.ReadAsync(input, target, cancellationToken));
        errors.ThrowIfAny();
        var runs = RunPlanner.DistinctPlansOf(spec!).Select(plan => plan.Run).ToList();
        await AccountConnectionOptions.EnsureReachableAsync(account, runs, cancellationToken);

        var experiment = spec! with { Id = spec.Id ?? ExperimentIds.New(TimeProvider.System.GetUtcNow()) };
        var folder = new RunFolder(runsFolder!, experiment.Id);
        using var stop = new ExperimentStop();
        using var signals = JobSignals.Listen(stop.Request, stop.Kill);
        var (taken, claimed) = await new JobClaim(input, folder).TakeAsync(experiment, account, tables, cancellationToken);
        using var held = taken;
        ErrorLines.Warn(RepeatWarnings.From(experiment).Concat(runs.SelectMany(run => SpecWarnings.From(run, target))).Distinct());
        if (account is null && MemoryNeed.Largest(runs) is { } memory)
            await _output.Text(input).WriteLineAsync($"memory: {memory.Describe()}");

        return await new ExperimentExecution(input, folder, account, tables, stop).RunAsync(_output, claimed, condition);
    }
}
