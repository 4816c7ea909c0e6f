namespace ScaleOut.Specs.Reading;

/// <summary>Rules for a run's container: named containers, autoscale, steps of its throughput and index paths.</summary>
/// <param name="spec">Invalid fields hold their defaults.</param>
internal sealed class ContainerRules(RunSpec spec, RunTarget target, ReadingContext context)
{
    private const int AutoscaleStep = 1_000;

    public void Check()
    {
        var container = spec.Container;
        foreach (var (field, _) in container.OwnSettings)
        {
            var path = $"container.{field}";
            context.Rule(container.Name is not null && context.IsGiven(path), path,
                "not beside container.name: an existing container is used as it is", "container.name");
        }

        context.Rule(container.SharedThroughput && target == RunTarget.OtherAccount && context.IsGiven("container.throughput"),
            "container.throughput", "not beside sharedThroughput on an account that is not simulated: the database has RU/s of its own",
            "container.sharedThroughput");
        CheckIndex(container);
        context.Rule(container.TimeToLive == 0, "container.timeToLive",
            "0 is no time: give seconds, or -1 if only documents with a ttl expire");
        context.Rule(container.Autoscale && (container.Throughput < AutoscaleStep || container.Throughput % AutoscaleStep != 0),
            "container.throughput", $"{container.Throughput} with autoscale is not a multiple of {AutoscaleStep}", "container.autoscale");
        CheckThroughputSteps(container);
    }

    private void CheckThroughputSteps(ContainerSpec container)
    {
        if (context.IsInvalidWithin("container.throughputSteps") || container.ThroughputSteps is not { Count: > 0 } steps)
            return;
        context.Rule(container.SharedThroughput, "container.throughputSteps",
            "not beside sharedThroughput: a run does not change its database", "container.sharedThroughput");
        context.Rule(spec.Workload.MaxRequestUnitShare is not null, "workload.maxRequestUnitShare",
            "not beside container.throughputSteps, because it is a share of RU/s that stay: use workload.requestUnitRate");
        var (after, throughput) = (double.NegativeInfinity, container.Throughput);
        for (var i = 0; i < steps.Count; i++)
        {
            var path = SpecPath.Item("container.throughputSteps", i);
            var step = steps[i];
            context.Rule(step.AfterSeconds <= after, $"{path}.afterSeconds",
                FormattableString.Invariant($"{step.AfterSeconds} is not after the {after} of the step before it"));
            context.Rule(step.Throughput == throughput, $"{path}.throughput", $"the container has {throughput} RU/s already",
                "container.throughput");
            context.Rule(container.Autoscale && (step.Throughput < AutoscaleStep || step.Throughput % AutoscaleStep != 0),
                $"{path}.throughput", $"{step.Throughput} with autoscale is not a multiple of {AutoscaleStep}", "container.autoscale");
            (after, throughput) = (step.AfterSeconds, step.Throughput);
        }
    }

    private void CheckIndex(ContainerSpec container)
    {
        const string Excluded = "container.excludedPaths";
        for (var i = 0; i < container.IncludedPaths.Count; i++)
        {
            var (path, included) = (SpecPath.Item("container.includedPaths", i), container.IncludedPaths[i]);
            if (context.IsInvalidWithin(Excluded) || context.IsInvalid(path))
                continue;
            context.Rule(container.Indexing == IndexingMode.None, path, "not with indexing None, which has no index", "container.indexing");
            context.Rule(container.ExcludedPaths.Any(excluded => IndexPaths.AreSame(excluded, included)), path,
                $"{ErrorText.Quote(included)} is in excludedPaths too");
            context.Rule(!container.ExcludedPaths.Any(excluded => IndexPaths.Contains(excluded, included)), path,
                $"{ErrorText.Quote(included)} is indexed without it, because no path of excludedPaths covers it; exclude \"/*\" to index "
                    + "nothing but the included paths");
        }

        for (var i = 0; i < container.CompositeIndexes.Count; i++)
        {
            var path = SpecPath.Item("container.compositeIndexes", i);
            if (context.IsInvalid(path))
                continue;
            context.Rule(container.Indexing == IndexingMode.None, path, "not with indexing None, which has no index", "container.indexing");
            var twice = container.CompositeIndexes[i].Split(", ").Select(part => part.Split(' ')[0]).CountBy(name => name)
                .FirstOrDefault(name => name.Value > 1).Key;
            context.Rule(twice is not null, path, $"has {twice} twice");
        }
    }
}
