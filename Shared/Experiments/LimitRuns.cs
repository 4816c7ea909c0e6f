namespace ScaleOut.Experiments;

/// <summary>
/// The runs of a search for a limit: an open loop at one rate each, which ends after its time. A run's id is a function of the experiment's
/// id, the rate and the repeat, so whoever goes on with the search finds what was measured.
/// </summary>
public static class LimitRuns
{
    /// <summary>The run that measures a rate.</summary>
    /// <param name="spec">A valid spec of a search, with its id.</param>
    /// <param name="rate">Documents per second over all workers.</param>
    /// <param name="repeat">From 1.</param>
    /// <exception cref="ArgumentException">It is none.</exception>
    public static ExperimentRun From(ExperimentSpec spec, double rate, int repeat)
    {
        var (id, run) = (spec.Id ?? throw new ArgumentException("The experiment has no id.", nameof(spec)), PlanOf(spec, rate));
        var place = PlaceOf(rate);
        var name = string.Create(CultureInfo.InvariantCulture, $"{place}, repeat {repeat}{(spec.Name is null ? "" : $": {spec.Name}")}");
        return new ExperimentRun
        {
            Variant = 0,
            VariantName = place,
            Repeat = repeat,
            Spec = run with
            {
                Id = IdOf(id, rate, repeat),
                Name = name.Length <= RunSpec.MaxNameLength ? name : place,
                // Else all measurements on simulated accounts would share their luck.
                Seed = unchecked(run.Seed + (int)(rate * 16) + repeat - 1),
            },
        };
    }

    /// <summary>What a run of a search is to it.</summary>
    /// <param name="run">As it was claimed.</param>
    public static ExperimentRun PlaceOf(RunSpec run)
    {
        var rate = LimitRate.Round((run.Workload.Steps?[0].Rate ?? LimitSpec.MinRate) * run.Workers);
        var repeat = int.Parse(run.Id!.AsSpan(run.Id!.LastIndexOf('r') + 1), NumberStyles.None, CultureInfo.InvariantCulture);
        return new ExperimentRun { Variant = 0, VariantName = PlaceOf(rate), Repeat = repeat, Spec = run };
    }

    /// <summary>The first run of a search.</summary>
    /// <exception cref="ArgumentException">It is no search.</exception>
    public static ExperimentRun First(ExperimentSpec spec) => From(spec, LimitOf(spec).FirstRate, repeat: 1);

    /// <summary>The spec of the first run of a search, without an id.</summary>
    /// <exception cref="ArgumentException">It is no search, or not valid.</exception>
    public static RunSpec FirstPlanOf(ExperimentSpec spec) => PlanOf(spec, LimitOf(spec).FirstRate);

    /// <summary>The spec that measures a rate, without an id.</summary>
    /// <exception cref="ArgumentException">The spec is not that of a search, or not valid.</exception>
    public static RunSpec PlanOf(ExperimentSpec spec, double rate)
    {
        var limit = LimitOf(spec);
        var reading = RunSpecReader.Read(spec.Base);
        var run = reading.Value ?? throw new ArgumentException($"base: {string.Join("; ", reading.Errors)}", nameof(spec));
        var perWorker = rate / run.Workers;
        var perOperation = run.Workload.DocumentsPerOperation;
        // One operation more than are due, so that the time ends the run and not its documents.
        var operations = (long)Math.Ceiling(perWorker * limit.StepDuration.TotalSeconds / perOperation) + 1;
        var documents = run.Workers * operations * perOperation;
        return run with
        {
            Documents = documents,
            Workload = run.Workload with
            {
                Steps = StepsOf(perWorker, run.Warmup, limit.StepDuration),
                // Reads and queries go round the documents that the base says; each document is deleted once.
                Preload = run.Workload.Kind is WorkloadKind.Read or WorkloadKind.Query ? run.Workload.Preload : null,
            },
        };
    }

    /// <summary>A run's id, such as <c>orders-1131e3r02</c>.</summary>
    public static string IdOf(string experimentId, double rate, int repeat) =>
        string.Create(CultureInfo.InvariantCulture, $"{experimentId}-{LimitRate.NameOf(rate)}r{repeat:00}");

    /// <summary>The warm-up is a step of its own, so that latencies and 429s of the last step have none of it.</summary>
    private static IReadOnlyList<StepSpec> StepsOf(double rate, TimeSpan warmup, TimeSpan duration)
    {
        var first = warmup <= TimeSpan.Zero || warmup >= StepSpec.MinDuration ? warmup : StepSpec.MinDuration;
        var measured = new StepSpec { Rate = rate, Duration = duration - first };
        return first <= TimeSpan.Zero ? [measured] : [new StepSpec { Rate = rate, Duration = first }, measured];
    }

    private static string PlaceOf(double rate) => string.Create(CultureInfo.InvariantCulture, $"{rate:#,0.###}/s");

    private static LimitSpec LimitOf(ExperimentSpec spec)
    {
        return spec.Limit ?? throw new ArgumentException("The experiment looks for no limit.", nameof(spec));
    }
}
