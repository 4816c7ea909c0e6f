namespace ScaleOut.DevBox.Commands;

/// <summary><c>limit</c>: looks for the highest rate that one spec holds, run after run.</summary>
internal sealed class LimitCommand
{
    private readonly SpecOptions _specOptions = new(except: "tableBatch");
    private readonly AccountConnectionOptions _account = new();
    private readonly ReportOutput _output = new(example: "rate<5000");

    private readonly IReadOnlyList<SpecOption> _options =
    [
        new("--until", "limit.until", "condition"),
        new("--from", "limit.from"),
        new("--to", "limit.to"),
        new("--repeats", "limit.repeats"),
        new("--confidence", "limit.confidence", "p"),
        new("--precision", "limit.precision", "share"),
        new("--step-duration", "limit.stepDuration", "seconds"),
    ];

    public Command Create() => new CommandWithExamples(
        "limit",
        "Looks for the highest rate that a spec holds: open-loop runs that raise the rate, then bisect, until it is known.",
        RunAsync,
        ("limit --throughput 10000 --until \"p99<20ms\"", "the highest rate whose p99 stays below 20 ms"),
        (
            "limit --workers 8 --throughput 40000 --from 1000 --id orders",
            "begins at 1,000/s; the same command goes on after an interruption"))
    {
        _specOptions.File, _specOptions.All, _options, _account.All, _output.All,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var runsFolder = errors.Try(() => _output.RunsFolder(input));
        var condition = errors.Try(() => _output.FailIf(input, FailIfNames.OfLimit));
        _output.CheckFiles(input, errors);
        var account = errors.Try(() => _account.Read(input));
        var target = _account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        var run = await errors.TryAsync(() => _specOptions.ReadAsync(input, target, cancellationToken));
        var isRateGiven = _specOptions.Given(input).Contains("--rate");
        var (searched, note) = isRateGiven || run is null ? (run, null) : WithoutRates(run);
        var spec = errors.Try(() => Read(input, searched ?? new RunSpec(), target, ofRun: run is not null));
        errors.ThrowIfAny();
        if (note is not null)
            await _output.Text(input).WriteLineAsync(note);
        await AccountConnectionOptions.EnsureReachableAsync(account, [RunPlanner.DistinctPlansOf(spec!)[0].Run], cancellationToken);

        var experiment = spec! with { Id = spec.Id ?? ExperimentIds.New(TimeProvider.System.GetUtcNow()) };
        var folder = new RunFolder(runsFolder!, experiment.Id);
        using var stop = new ExperimentStop();
        using var signals = JobSignals.Listen(stop.Request, stop.Kill);
        var (taken, claimed) = await new JobClaim(input, folder).TakeAsync(experiment, account, tables: null, cancellationToken);
        using var held = taken;
        return await new ExperimentExecution(input, folder, account, tables: null, stop).RunAsync(_output, claimed, condition);
    }

    /// <summary>Makes the search's spec from a run's spec. An error names the option that it came from, if there is one.</summary>
    /// <param name="ofRun">Whether the run's spec could be read. If not, only the search's own options are checked.</param>
    /// <exception cref="InputException">The spec is invalid; the exception has all errors.</exception>
    private ExperimentSpec Read(CommandInput input, RunSpec run, RunTarget target, bool ofRun)
    {
        var given = _options.Where(option => input.Value(option) is not null).ToList();
        var fields = new JsonObject
        {
            ["id"] = run.Id,
            ["name"] = run.Name,
            ["base"] = JsonSerializer.SerializeToNode(run.Unnamed(), ScaleOutJson.Compact),
            ["limit"] = new JsonObject(),
        };
        foreach (var option in given)
            SpecEdit.Set(fields, option.Path, ValueOf(option, input.Value(option)!));
        var reading = ExperimentSpecReader.Read(fields.ToJsonString(), target);
        var errors = reading.Errors.Where(error => ofRun || error.Path.StartsWith("limit.", StringComparison.Ordinal)).ToList();
        if (errors.Count > 0)
            throw new InputException([.. errors.Select(error => SpecOption.Describe(error, file: null, given))]);
        return reading.Value ?? new ExperimentSpec();
    }

    /// <summary>The spec without the rates in its file, because the search sets the rate. A note says so if there were any.</summary>
    private static (RunSpec Spec, string? Note) WithoutRates(RunSpec run)
    {
        if (run.Client.Rate is null && run.WorkerOverrides.All(one => one.Client.Rate is null))
            return (run, null);
        var without = run with
        {
            Client = run.Client with { Rate = null },
            WorkerOverrides = [.. run.WorkerOverrides.Select(one => one with { Client = one.Client with { Rate = null } })],
        };
        return (without, "note: client.rate of the spec is left out, because the search sets the rate; --from says where it begins");
    }

    /// <summary>A duration may be given as a number of seconds.</summary>
    private static JsonNode ValueOf(SpecOption option, string text) =>
        option.Path == "limit.stepDuration"
        && double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var seconds)
        && seconds is > 0 and < 86_400
            ? JsonValue.Create(DurationText.Format(TimeSpan.FromSeconds(seconds)))
            : option.ValueOf(text);
}
