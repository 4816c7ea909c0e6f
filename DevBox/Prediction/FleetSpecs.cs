using System.Text;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Prediction;
using ScaleOut.Specs;
using ScaleOut.Workers.Documents;

namespace ScaleOut.DevBox.Prediction;

/// <summary>Makes the fleet that is simulated from a run's spec.</summary>
internal static class FleetSpecs
{
    /// <summary>Keys that are looked at to see how they spread over the partitions.</summary>
    private const int SampledKeys = 200_000;

    /// <summary>What of a spec a predicted fleet cannot have; empty for one that can be predicted.</summary>
    public static IEnumerable<string> ErrorsOf(RunSpec spec)
    {
        if (spec.Workload.Kind == WorkloadKind.Query)
            yield return "workload.kind: queries are not predicted; inserts, upserts, reads, deletes, batches and bulk are.";
        if (spec.Workload.Steps is not null)
            yield return "workload.steps: a fleet is predicted for one load; give the concurrency or rate of one step.";
        if (spec.WorkerOverrides.Count > 0)
            yield return "workerOverrides: the workers of a predicted fleet are all alike.";
    }

    /// <summary>What of a spec is left out of the prediction, as sentences.</summary>
    public static IEnumerable<string> LeftOutOf(RunSpec spec)
    {
        if (spec.Simulation?.Faults.Count > 0)
            yield return "simulation.faults of the spec is left out";
        if (spec.Simulation?.Splits.Count > 0)
            yield return "simulation.splits of the spec is left out";
        if (spec.Simulation?.Merges.Count > 0)
            yield return "simulation.merges of the spec is left out";
        if (spec.Simulation?.StorageFactor > 1)
            yield return "simulation.storageFactor of the spec is left out";
        if (spec.Workload.IsPaced)
            yield return "the limit on the RU/s that the workers use is left out";
    }

    /// <summary>Physical partitions: those of the spec, else as many as the service gives a new container, however many.</summary>
    public static int PartitionsOf(RunSpec spec) => spec.Simulation?.PhysicalPartitions
        ?? Math.Max(1, SimulationSpec.ServicePartitionsFor(spec.Container.Throughput, spec.Container.Autoscale));

    /// <summary>The fleet of a base, on so many partitions.</summary>
    public static FleetSpec From(PredictionBase known, int partitions)
    {
        var spec = known.Spec;
        var client = spec.SettingsOf(0);
        var simulation = spec.Simulation ?? new SimulationSpec();
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
            BytesPerDocument = DocumentShape.From(spec.Document).Bytes,
            ChargePerDocument = known.ChargePerDocument ?? RunEstimate.From(spec).RequestUnits / spec.Documents,
            Throughput = spec.Container.Throughput,
            Partitions = partitions,
            PartitionWeights = WeightsOf(spec, partitions),
            Latency = known.Latency,
            Throttling = simulation.Throttling ?? new ThrottlingSpec(),
            Burst = simulation.Burst,
            Cores = client.Cores ?? 1,
            CpuMsPerAttempt = known.CpuMsPerAttempt,
            OverheadMs = known.OverheadMs,
            Seed = spec.Seed,
        };
    }

    /// <summary>How the keys of the spec's documents spread, by their hashes; null where hardly any two have the same key.</summary>
    private static List<double>? WeightsOf(RunSpec spec, int partitions)
    {
        var documents = DocumentSources.For(
            spec.Document, spec.Workload.OfRun ?? spec.Id ?? "predicted", spec.Container.PartitionKeyPathFor(spec.Document));
        int? batch = spec.Workload.Kind == WorkloadKind.Batch ? spec.Workload.DocumentsPerOperation : null;
        var counts = new Dictionary<string, int>();
        for (var i = 0; i < SampledKeys; i++)
        {
            var key = documents.KeyOf((long)i * (batch ?? 1), batch);
            counts[key] = counts.GetValueOrDefault(key) + 1;
            // Keys of their own are spread as evenly as the hash, whose ranges are equally wide.
            if (i == SampledKeys / 100 && counts.Count > 0.95 * i)
                return null;
        }

        var map = PartitionKeyRangeMap.Even(PartitionKeyVersion.V2, partitions);
        var weights = new double[partitions];
        foreach (var (key, count) in counts)
            weights[map.IndexOf(PartitionKeyValue.From(Encoding.UTF8.GetBytes(key)))] += count;
        return [.. weights];
    }
}
