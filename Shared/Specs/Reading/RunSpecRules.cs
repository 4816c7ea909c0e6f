namespace ScaleOut.Specs.Reading;

/// <summary>
/// Rules for a spec that span several fields, which a JSON schema cannot express. Each section of the spec has a class of its own.
/// </summary>
/// <param name="spec">Invalid fields hold their defaults.</param>
internal sealed class RunSpecRules(RunSpec spec, RunTarget target, ReadingContext context)
{
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
        new ContainerRules(spec, target, context).Check();
        CheckSimulation();
    }

    private void CheckSimulation()
    {
        if (spec.Simulation is not { } simulation || spec.Workload.Kind.UsesTables())
            return;
        context.Rule(target == RunTarget.OtherAccount, "simulation", "only with the simulated account");
        if (simulation.Charges is { } charges)
            new ChargeRules(charges, context).Check();
        var partitions = PartitionsOf(simulation);
        new FaultRules(simulation, context).Check(partitions, PartitionSources);
        if (partitions is { } known)
            new LayoutRules(spec.Container, simulation, context).Check(known, PartitionSources);
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
}
