namespace ScaleOut.DevBox.Commands;

/// <summary><c>validate</c>: the errors of a spec, or a sample of its documents and an estimate of its time, RU and cost.</summary>
internal sealed class ValidateCommand
{
    private readonly SpecOptions _specOptions = new(anyAccount: true);
    private readonly AccountConnectionOptions _account = new();
    private readonly TableAccountOption _tables = new();

    private readonly PricesOption _prices = new();

    public Command Create() => new CommandWithExamples(
        "validate",
        "Says what is wrong with a spec, or what running it will take.",
        RunAsync,
        ("validate plans/orders.json", "a sample document, its bytes, RU, partitions and the least time"),
        (
            "validate plans/orders.json --prices plans/prices.json",
            "also what it costs; the prices are those of 'devbox plans prices'"))
    {
        _specOptions.File, _specOptions.All, _account.All, _tables, _prices,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var account = errors.Try(() => _account.Read(input));
        var tables = errors.Try(() => _tables.Read(input));
        var prices = await errors.TryAsync(() => _prices.ReadAsync(input, cancellationToken));
        var target = _account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        if (input.Value(_specOptions.File) is { } file
            && File.Exists(file)
            && await errors.TryAsync(() => InputFile.ReadAsync(file, "spec file", cancellationToken)) is { } text
            && ExperimentSpecReader.IsExperiment(text))
        {
            errors.Add(_specOptions.Given(input).Select(option => $"{option}: only for the spec of a run, and this is an experiment."));
            if (prices is not null)
                errors.Add(_prices.Name, "only for the spec of a run, and this is an experiment.");
            var experiment = errors.Try(() => ExperimentOptions.Read(text, file, target));
            if (experiment is not null)
                errors.Try(() => ExperimentOptions.CheckMachine(
                    experiment, file, target == RunTarget.SimulatedAccount ? RunTarget.Undecided : target));
            errors.ThrowIfAny();
            if (experiment!.Limit is not null)
                Console.WriteLine($"valid: {ExperimentHeading.From(experiment, "any account")}");
            else
                WriteExperiment(experiment, target);
            return ExitCode.Complete;
        }

        var spec = await errors.TryAsync(() => _specOptions.ReadAsync(input, target, cancellationToken));
        var usesTables = spec?.Workload.Kind.UsesTables() == true;
        if (spec is not null && account is not null && !usesTables)
            errors.Add(EndpointCheck.ErrorsOf(spec, account));
        errors.ThrowIfAny();

        var estimate = RunEstimate.From(spec!, target);
        var facts = errors.Try(() => FactsOf(spec!, target, estimate, prices));
        errors.ThrowIfAny();
        Console.WriteLine($"valid: {RunHeading.From(spec!, account, tables)}");
        foreach (var line in facts!)
            Console.WriteLine(line);
        var time = estimate.Seconds is { } seconds
            ? $"at least {Numbers.Duration(seconds)}"
            : "not known: neither the throughput nor the latency is";
        Console.WriteLine($"  time           {time}");
        WriteNeeds([spec!], target);
        foreach (var warning in SpecWarnings.From(spec!, target))
            Console.WriteLine($"warning: {warning}");
        return ExitCode.Complete;
    }

    /// <exception cref="InputException">The documents cannot be made.</exception>
    private static List<string> FactsOf(RunSpec spec, RunTarget target, RunEstimate estimate, PriceList? prices)
    {
        try
        {
            return [.. EstimateLines.From(spec, target, estimate, prices)];
        }
        catch (DocumentException e)
        {
            throw new InputException([.. e.Errors]);
        }
    }

    /// <summary>Writes the memory and open files that the largest of some runs needs. The runs go one after the other.</summary>
    private static void WriteNeeds(IReadOnlyList<RunSpec> runs, RunTarget target)
    {
        if (target == RunTarget.SimulatedAccount && MemoryNeed.Largest(runs) is { } memory)
        {
            Console.WriteLine($"  memory         {memory.Describe()}");
            if (memory.Excess() is { } excess)
                Console.WriteLine($"warning: not on the simulated account of this machine: {excess}.");
        }

        var files = runs.Select(run => OpenFileNeed.From(run, run.TargetAmong(target))).MaxBy(need => need.Files)!;
        var limit = OpenFileLimit.Read() is { } most ? $", of {Numbers.Count(most)}" : "";
        Console.WriteLine($"  open files     about {Numbers.Count(files.Files)} in {files.Process}{limit}");
    }

    private static void WriteExperiment(ExperimentSpec spec, RunTarget target)
    {
        var runs = spec.Variants.Select((_, variant) => GridPlanner.PlanOf(spec, variant)).ToList();
        var whole = ExperimentEstimate.From(spec, target);
        Console.WriteLine(
            $"valid: experiment{(spec.Id is { } id ? $" {id}" : "")}: {Words.Amount(spec.Variants.Count, "variant")}, "
            + $"{Words.Amount(spec.Repeats, "repeat")} each, {Words.Amount(spec.Findings.Count, "finding")}");
        Console.WriteLine($"  request units  {Numbers.Count((long)Math.Round(whole.RequestUnits))}");
        Console.WriteLine($"  time           {ExperimentHeading.TimeOf(whole)}");
        WriteNeeds(runs, target);
        foreach (var (variant, estimate) in spec.Variants.Zip(whole.Variants))
        {
            var time = estimate.Seconds is { } one ? $"at least {Numbers.Duration(one)}" : "not known";
            Console.WriteLine($"    {variant.Name,-40} {time}");
        }

        foreach (var warning in RepeatWarnings.From(spec))
            Console.WriteLine($"warning: {warning}");
        foreach (var (variant, run) in spec.Variants.Zip(runs))
        {
            foreach (var warning in SpecWarnings.From(run, target))
                Console.WriteLine($"warning: {variant.Name}: {warning}");
        }
    }
}
