namespace ScaleOut.Analysis.Experiments.Reading;

/// <summary>Checks the rules between the fields of a search, and between the search and its base.</summary>
/// <param name="spec">Invalid fields hold their defaults.</param>
internal sealed class LimitSpecRules(ExperimentSpec spec, LimitSpec limit, RunTarget target, ReadingContext context)
{
    public void Check()
    {
        context.Rule(spec.Variants.Count > 0, "variants", "not beside limit, which measures the base alone");
        context.Rule(spec.Findings.Count > 0, "findings", "not beside limit, which measures the base alone");
        context.Rule(spec.Scale != 1, "scale", "not beside limit, whose runs end after limit.stepDuration");
        context.Rule(limit.To < limit.From, "limit.to", $"{limit.To} is less than limit.from {limit.From}", "limit.from");
        if (!context.IsInvalid("limit.until"))
        {
            foreach (var error in LimitCondition.Parse(limit.Until).Errors)
                context.Add("limit.until", error.ToString(), beyondSchema: true);
        }

        if (context.IsInvalid("base"))
            return;
        var reading = RunSpecReader.Read(spec.Base, target);
        foreach (var error in reading.Errors.Where(error => !context.IsInvalid($"base.{error.Path}")))
            context.Add($"base.{error.Path}", error.Message, error.BeyondSchema);
        if (reading.Value is { } run)
            CheckBase(run);
    }

    private void CheckBase(RunSpec run)
    {
        const string Search = "not with a limit: the search sets the rate; leave it out, and say with limit.from where it begins";
        context.Rule(run.Client.Rate is not null, "base.client.rate", Search);
        context.Rule(run.Workload.Steps is not null, "base.workload.steps", Search);
        context.Rule(run.Workload.ThinkTime > TimeSpan.Zero, "base.workload.thinkTime", Search);
        for (var entry = 0; entry < run.WorkerOverrides.Count; entry++)
            context.Rule(run.WorkerOverrides[entry].Client.Rate is not null, $"base.workerOverrides[{entry}].client.rate", Search);
        var kind = run.Workload.Kind;
        var needsPreload = run is { Workload.AddressesPreload: true, Container.Name: null };
        context.Rule(needsPreload && run.Workload is { Preload: null, OfRun: null },
            "base.workload.preload", "is missing: each run writes so many documents before it begins");
        context.Rule(kind == WorkloadKind.Delete && run.Container.Name is not null, "base.container.name",
            "not for deletes with a limit: the first run would leave nothing to those after it");
        context.Rule(limit.StepDuration < run.Warmup + LimitSpec.MinMeasurement, "limit.stepDuration",
            $"is less than {LimitSpec.MinMeasurement.TotalSeconds:0} s longer than base.warmup {DurationText.Format(run.Warmup)}");
    }
}
