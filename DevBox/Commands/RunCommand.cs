namespace ScaleOut.DevBox.Commands;

/// <summary><c>run</c>: a spec from its validation to its report.</summary>
internal sealed class RunCommand
{
    private readonly SpecOptions _specOptions = new();
    private readonly AccountConnectionOptions _account = new();
    private readonly TableAccountOption _tables = new();
    private readonly PricesOption _prices = new();
    private readonly OtlpOption _otlp = new();
    private readonly ReportOutput _output = new(example: "throttledShare>0.05", strict: true);

    public Command Create() => new CommandWithExamples(
        "run",
        "Runs a spec: simulated account, worker processes, report. The command where only options are given.",
        RunAsync,
        ("run --documents 25000 --throughput 5000 --concurrency 2",
            "25,000 inserts by four workers into 5,000 RU/s of the simulated account"),
        (
            "run --workload read --preload 10000 --quiet --json report.json",
            "point reads of documents that are written first; the console has only warnings and errors"))
    {
        _specOptions.File, _specOptions.All, _account.All, _tables, _prices, _output.All, _otlp,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var runsFolder = errors.Try(() => _output.RunsFolder(input));
        _output.CheckFiles(input, errors);
        var account = errors.Try(() => _account.Read(input));
        var tables = errors.Try(() => _tables.Read(input));
        var prices = await errors.TryAsync(() => _prices.ReadAsync(input, cancellationToken));
        var target = _account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        var spec = await errors.TryAsync(() => _specOptions.ReadAsync(input, target, cancellationToken));
        var condition = errors.Try(() => _output.FailIf(input, spec is null ? FailIfNames.OfRun : FailIfNames.OfRunOf(spec)));
        if (spec is not null && account is not null && !spec.Workload.Kind.UsesTables())
            errors.Add(EndpointCheck.ErrorsOf(spec, account));
        if (spec is not null)
            account = errors.Try(() => RunAccounts.ConnectionOf(spec, account, tables));
        var otlp = await errors.TryAsync(() => _otlp.ReadAsync(input, cancellationToken));
        errors.ThrowIfAny();

        target = spec!.TargetAmong(target);
        spec = Complete(spec, target);
        ErrorLines.Warn(MachineChecks.WarningsOf(spec).Concat(SpecWarnings.From(spec, target)));

        var console = _output.Text(input);
        if (target == RunTarget.SimulatedAccount)
            await console.WriteLineAsync($"memory: {MemoryNeed.From(spec).Describe()}");
        foreach (var line in prices is null ? [] : EstimateLines.CostLinesOf(spec, RunEstimate.From(spec, target), prices))
            await console.WriteLineAsync(line);
        var folder = new RunFolder(runsFolder!, spec.Id!);
        var execution = new RunExecution(input, _output, folder, condition)
        {
            Prices = prices,
            Otlp = otlp,
            ClaimAsync = () => new JobClaim(input, folder).TakeAsync(spec, account, cancellationToken),
        };
        return await execution.RunAsync(spec, giveUp => OpenAsync(folder, spec, account, giveUp));
    }

    /// <summary>Fills in the fields that the stored spec must have, so that a resumed run is the same run.</summary>
    private static RunSpec Complete(RunSpec spec, RunTarget target) => spec with
    {
        Id = spec.Id ?? RunIds.New(TimeProvider.System.GetUtcNow()),
        Simulation = target == RunTarget.SimulatedAccount ? spec.Simulation ?? new SimulationSpec() : null,
    };

    private static Task<RunAccount> OpenAsync(
        RunFolder folder, RunSpec spec, AccountConnection? account, CancellationToken cancellationToken) =>
        account is null
            ? RunAccounts.StartAsync(folder, spec, cancellationToken)
            : RunAccounts.UseAsync(folder, account, cancellationToken);
}
