namespace ScaleOut.Analysis.Limits;

/// <summary>
/// Plans the search for the highest rate that a spec holds. Each run is an open loop at one rate for a fixed time.
/// <see cref="LimitSearch"/> chooses the rate from the runs before.
/// </summary>
/// <param name="spec">A valid spec of a search, with its id.</param>
internal sealed class LimitPlanner(ExperimentSpec spec) : IRunPlanner
{
    private readonly LimitSpec _limit = spec.Limit ?? throw new ArgumentException("The experiment looks for no limit.", nameof(spec));
    private readonly string _id = spec.Id ?? throw new ArgumentException("The experiment has no id.", nameof(spec));

    public IReadOnlyList<PlannedRun>? All => null;

    public PlannedRun? Next(IReadOnlyList<MeasuredRun> measured)
    {
        var decision = LimitSearch.Next(_limit, measured);
        return decision.End is null ? RunAt(decision.Rate, decision.Repeat) : null;
    }

    public LimitBracket? BracketOf(IReadOnlyList<MeasuredRun> measured) => LimitSearch.Next(_limit, measured).Bracket;

    public PlannedRun PlaceOf(RunSpec run)
    {
        var rate = LimitRate.Round((run.Workload.Steps?[0].Rate ?? LimitSpec.MinRate) * run.Workers);
        var repeat = int.Parse(run.Id!.AsSpan(run.Id!.LastIndexOf('r') + 1), NumberStyles.None, CultureInfo.InvariantCulture);
        return new PlannedRun { Variant = 0, VariantName = NameOf(rate), Repeat = repeat, Rate = rate, Spec = run };
    }

    /// <summary>The run that measures a rate. Its id is a function of the experiment's id, the rate and the repeat.</summary>
    /// <param name="rate">Documents per second over all workers.</param>
    /// <param name="repeat">From 1.</param>
    public PlannedRun RunAt(double rate, int repeat)
    {
        var run = PlanOf(spec, rate);
        var place = NameOf(rate);
        var name = $"{place}, repeat {repeat}{(spec.Name is null ? "" : $": {spec.Name}")}";
        return new PlannedRun
        {
            Variant = 0,
            VariantName = place,
            Repeat = repeat,
            Rate = rate,
            Spec = run with
            {
                Id = ExperimentIds.OfRun(_id, rate, repeat),
                Name = name.Length <= RunSpec.MaxNameLength ? name : place,
                // Measurements on simulated accounts need independent noise.
                Seed = unchecked(run.Seed + (int)(rate * 16) + repeat - 1),
            },
        };
    }

    /// <summary>The spec that measures a rate, without an id.</summary>
    /// <exception cref="ArgumentException">The spec is not that of a search, or not valid.</exception>
    public static RunSpec PlanOf(ExperimentSpec spec, double rate)
    {
        var limit = spec.Limit ?? throw new ArgumentException("The experiment looks for no limit.", nameof(spec));
        var reading = RunSpecReader.Read(spec.Base);
        var run = reading.Value ?? throw new ArgumentException($"base: {string.Join("; ", reading.Errors)}", nameof(spec));
        var perWorker = rate / run.Workers;
        var perOperation = run.Workload.DocumentsPerOperation;
        // One operation more than can become due, so that the run ends when its time is over and not when its documents are done.
        var operations = (long)Math.Ceiling(perWorker * limit.StepDuration.TotalSeconds / perOperation) + 1;
        var documents = run.Workers * operations * perOperation;
        return run with
        {
            Documents = documents,
            Workload = run.Workload with
            {
                Steps = StepsOf(perWorker, run.Warmup, limit.StepDuration),
                // Reads, queries, patches and replaces repeat over the base spec's documents. Each document is deleted only once.
                Preload = run.Workload.AddressesPreload ? run.Workload.Preload : null,
            },
        };
    }

    /// <summary>The warm-up is a step of its own, so that the figures of the last step leave it out.</summary>
    private static IReadOnlyList<StepSpec> StepsOf(double rate, TimeSpan warmup, TimeSpan duration)
    {
        var first = warmup <= TimeSpan.Zero || warmup >= StepSpec.MinDuration ? warmup : StepSpec.MinDuration;
        var measured = new StepSpec { Rate = rate, Duration = duration - first };
        return first <= TimeSpan.Zero ? [measured] : [new StepSpec { Rate = rate, Duration = first }, measured];
    }

    private static string NameOf(double rate) => $"{Numbers.Rate(rate)}/s";
}
