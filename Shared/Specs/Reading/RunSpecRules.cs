namespace ScaleOut.Specs.Reading;

/// <summary>
/// Rules for a spec that span several fields, which a JSON schema cannot express. Clients, workload, documents, tables and simulation have
/// classes of their own. The rules here are about named containers, autoscale, fault rules and the target.
/// </summary>
/// <param name="spec">Invalid fields hold their defaults.</param>
internal sealed class RunSpecRules(RunSpec spec, RunTarget target, ReadingContext context)
{
    private const int AutoscaleStep = 1_000;

    /// <summary>Fields that the number of physical partitions depends on.</summary>
    private static readonly string[] PartitionSources =
    [
        "simulation.physicalPartitions", "simulation.splits", "simulation.merges", "container.throughput", "container.name"
    ];

    public void Check()
    {
        new WorkloadRules(spec, context).Check();
        new DocumentRules(spec, context).Check();
        new TableBatchRules(spec, context).Check();
        new ClientRules(spec, target, context).Check();
        CheckContainer();
        CheckSimulation();
    }

    private void CheckContainer()
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

    private void CheckSimulation()
    {
        if (spec.Simulation is not { } simulation || spec.Workload.Kind.UsesTables())
            return;
        context.Rule(target == RunTarget.OtherAccount, "simulation", "only with the simulated account");
        if (simulation.Charges is { } charges)
            new ChargeRules(charges, context).Check();
        for (var i = 0; i < simulation.Faults.Count; i++)
        {
            var path = SpecPath.Item("simulation.faults", i);
            if (context.IsInvalid(path))
                continue;
            CheckFaultRule(simulation, simulation.Faults[i], path);
        }

        if (PartitionsOf(simulation) is { } partitions)
            new LayoutRules(spec.Container, simulation, context).Check(partitions, PartitionSources);
        new SimulationRules(simulation, context).Check();
    }

    /// <summary>
    /// Number of physical partitions at the start. Null for an existing container without a given number, which is known only during the
    /// run.
    /// </summary>
    private int? PartitionsOf(SimulationSpec simulation) =>
        spec.Container.Name is not null && simulation.PhysicalPartitions is null
            ? null
            : simulation.PartitionsFor(spec.Container);

    private void CheckFaultRule(SimulationSpec simulation, FaultRule rule, string path)
    {
        context.Rule(rule is { Status: null, DelayMs: null, CloseConnection: false }, path,
            "does nothing: give status, delayMs or closeConnection", $"{path}.status", $"{path}.delayMs", $"{path}.closeConnection");
        context.Rule(rule is { SubStatus: not null, Status: null }, $"{path}.subStatus", "only beside status", $"{path}.status");
        context.Rule(rule is { AfterOperation: true, Status: 410 or 429 or 449 }, $"{path}.afterOperation",
            $"{rule.Status} says that the operation was not done: use another status, such as 408 or 503", $"{path}.status");
        context.Rule(rule.UntilSeconds <= rule.FromSeconds, $"{path}.untilSeconds",
            FormattableString.Invariant($"{rule.UntilSeconds} is not after fromSeconds {rule.FromSeconds}"), $"{path}.fromSeconds");

        if (PartitionsOf(simulation) is not { } partitions)
            return;
        partitions += (2 * simulation.Splits.Count) + simulation.Merges.Count;
        context.Rule(rule.Partition >= partitions, $"{path}.partition", $"partition {rule.Partition} does not exist (0..{partitions - 1})",
            PartitionSources);
    }
}
