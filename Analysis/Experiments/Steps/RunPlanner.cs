namespace ScaleOut.Analysis.Experiments.Steps;

public static class RunPlanner
{
    /// <param name="spec">A valid spec with its id.</param>
    /// <param name="version">Version of the orchestration that runs the experiment; empty for the newest.</param>
    /// <exception cref="ArgumentException">The spec is not valid, or has no id.</exception>
    public static IRunPlanner From(ExperimentSpec spec, string version = "") => spec.Limit is null
        ? new GridPlanner(spec, isBalanced: OrchestrationVersions.IsAtLeast(version, "1.3"))
        : new LimitPlanner(spec);

    /// <summary>The runs that are known before anything is measured: all of them, or the first of a search.</summary>
    public static IReadOnlyList<PlannedRun> Known(this IRunPlanner planner) => planner.All ?? [planner.Next([])!];

    /// <summary>
    /// The different specs of an experiment's runs, without ids, each with its path in the experiment's spec. There is one for each
    /// variant. A search has one, its first, because its runs differ only in the rate.
    /// </summary>
    /// <exception cref="ArgumentException">The spec is not valid.</exception>
    public static IReadOnlyList<(string Path, RunSpec Run)> DistinctPlansOf(ExperimentSpec spec) => spec.Limit is { } limit
        ? [("base", LimitPlanner.PlanOf(spec, limit.FirstRate))]
        : [.. spec.Variants.Select((_, variant) => ($"{SpecPath.Item("variants", variant)}.change", GridPlanner.PlanOf(spec, variant)))];
}
