namespace ScaleOut.Sizing;

/// <summary>Makes the fleet that is simulated from a run's spec.</summary>
public static class FleetSpecs
{
    /// <summary>Errors for fields that a simulated fleet cannot have; empty if the spec can be simulated.</summary>
    public static IEnumerable<InputError> ErrorsOf(RunSpec spec)
    {
        if (spec.Workload is { HasQueries: true, UsesBulk: true })
            yield return new("workload.bulk", "not beside queries, which the SDK does not group.");
        if (spec.Workload.HasReplaces)
        {
            yield return new(
                "workload.kind", "replaces are not sized, because each is two requests one after the other; size reads and patches.");
        }

        if (spec.Workload.Kind.UsesTables())
            yield return new("workload.kind", "a table has no RU/s to size.");
        if (spec.Workload.Steps is not null)
            yield return new("workload.steps", "a fleet is sized for one load; give the concurrency or rate of one step.");
        if (spec.WorkerOverrides.Count > 0)
            yield return new("workerOverrides", "the workers of a fleet that is sized are all alike.");
    }

    /// <summary>Fields of a spec that the simulation leaves out, as sentences.</summary>
    public static IEnumerable<string> LeftOutOf(RunSpec spec)
    {
        var simulation = spec.Simulation ?? new SimulationSpec();
        (string Field, bool Used)[] fields =
        [
            ("faults", simulation.Faults.Count > 0), ("splits", simulation.Splits.Count > 0), ("merges", simulation.Merges.Count > 0),
            ("storageFactor", simulation.StorageFactor > 1),
        ];
        foreach (var (field, _) in fields.Where(field => field.Used))
            yield return $"simulation.{field} of the spec is left out";
        if (spec.Workload.IsPaced)
            yield return "the limit on the RU/s that the workers use is left out";
    }

    /// <summary>The kinds of a mix, or of the steps of an action. Their charges add up to that of the basis.</summary>
    private static List<FleetOperation> MixOf(FleetBasis known, int partitions)
    {
        var workload = known.Spec.Workload;
        if (workload is { HasSeveralKinds: false, HasQueries: false })
            return [];
        return
        [
            .. workload.Shares.Select(one => new FleetOperation(
                one.Share, !one.Kind.Reads(), known.ChargeOf(one.Kind, partitions), FleetForecast.NameOf(one.Kind))
            {
                Query = one.Kind == WorkloadKind.Query ? known.PagesOn(partitions) : null,
            }),
        ];
    }

    /// <summary>Share of the operations that send whole documents.</summary>
    public static double SentShareOf(WorkloadSpec workload) =>
        workload.Shares.Where(one => StorageGrowth.AddsDocuments(one.Kind)).Sum(one => one.Share);

    /// <param name="keys">How the documents' keys spread; null to find that out from the documents.</param>
    internal static FleetSpec From(FleetBasis known, int partitions, KeySpread? keys = null)
    {
        var spec = known.Spec;
        var client = spec.SettingsOf(0);
        var simulation = spec.Simulation ?? new SimulationSpec();
        keys ??= KeySpread.From(spec);
        return new FleetSpec
        {
            Workers = spec.Workers,
            Concurrency = client.Concurrency,
            ConnectionMode = client.ConnectionMode,
            Connections = client.ConnectionMode == ConnectionMode.Gateway
                ? client.MaxConnections ?? RunEstimate.DefaultGatewayConnections
                : null,
            Rate = client.Rate,
            ThinkTime = spec.Workload.ThinkTime,
            IsWrite = RunEstimate.IsWrite(spec),
            Bulk = spec.Workload.UsesBulk,
            DocumentsPerOperation = spec.Workload.DocumentsPerOperation,
            BytesPerDocument = known.BytesPerDocument,
            ChargePerDocument = known.ChargeOn(partitions),
            SentShare = SentShareOf(spec.Workload),
            Mix = MixOf(known, partitions),
            Steps = spec.Workload.Action is { } steps
                ? [.. steps.Select(step => spec.Workload.Shares.Select(one => one.Kind).ToList().IndexOf(step))]
                : [],
            Throughput = spec.Container.Throughput,
            Partitions = partitions,
            PartitionWeights = keys.WeightsFor(partitions),
            ReadWeights = keys.ReadWeightsFor(partitions),
            Latency = known.Latency,
            Throttling = simulation.Throttling ?? new ThrottlingSpec(),
            Burst = simulation.Burst,
            BurstBank = simulation.BurstBank,
            Cores = client.Cores ?? 1,
            CpuMsPerAttempt = known.CpuMsPerAttempt ?? 0,
            OverheadMs = known.OverheadMs,
            Seed = spec.Seed,
        };
    }
}
