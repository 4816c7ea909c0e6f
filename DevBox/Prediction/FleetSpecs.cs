using System.Text;
using ScaleOut.Analysis.Reports;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Prediction;
using ScaleOut.Specs;
using ScaleOut.Workers.Documents;

namespace ScaleOut.DevBox.Prediction;

/// <summary>Makes the fleet that is simulated from a run's spec.</summary>
internal static class FleetSpecs
{
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

    /// <summary>Fields of the physics that a spec uses and that virtual time does not have.</summary>
    public static IEnumerable<string> PhysicsLeftOut(RunSpec spec)
    {
        if (spec.Simulation is not { } simulation)
            yield break;
        if (simulation.Faults.Count > 0)
            yield return "simulation.faults";
        if (simulation.Splits.Count > 0)
            yield return "simulation.splits";
        if (simulation.Merges.Count > 0)
            yield return "simulation.merges";
        if (simulation.StorageFactor > 1)
            yield return "simulation.storageFactor";
    }

    /// <summary>What of a spec is left out of the prediction, as sentences.</summary>
    public static IEnumerable<string> LeftOutOf(RunSpec spec)
    {
        foreach (var field in PhysicsLeftOut(spec))
            yield return $"{field} of the spec is left out";
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
            Concurrency = new LoadPlan(spec.Workload, client, worker: 0, spec.Workers).Concurrency,
            Steps = spec.Workload.Steps,
            Query = QueryOf(known),
            ConnectionMode = client.ConnectionMode,
            Connections = client.ConnectionMode == ConnectionMode.Gateway
                ? client.MaxConnections ?? RunEstimate.DefaultGatewayConnections
                : null,
            Rate = client.Rate,
            ThinkTime = spec.Workload.ThinkTime,
            IsWrite = RunEstimate.IsWrite(spec),
            Bulk = spec.Workload.UsesBulk,
            DocumentsPerOperation = spec.Workload.DocumentsPerOperation,
            BytesPerDocument = (int)(DocumentShape.From(spec.Document).Bytes * known.ItemsPerPage),
            ChargePerDocument = (known.ChargePerDocument ?? RunEstimate.From(spec).RequestUnits / spec.Documents)
                / (known.PagesPerOperation ?? 1),
            Throughput = spec.Container.Throughput,
            Partitions = partitions,
            PartitionWeights = (known.Keys ?? KeySpread.From(spec)).WeightsFor(partitions),
            Latency = known.Latency,
            Throttling = simulation.Throttling ?? new ThrottlingSpec(),
            Burst = simulation.Burst,
            Cores = client.Cores ?? 1,
            CpuMsPerAttempt = known.CpuMsPerAttempt,
            OverheadMs = known.OverheadMs,
            Seed = spec.Seed,
        };
    }

    /// <summary>The fleet on the machine that a run had: on its cores all together, or each worker on its own where the run kept some free.
    /// </summary>
    public static FleetSpec OnMachineOf(RunReport report, FleetSpec fleet, double accountCpuMs)
    {
        var (cores, all) = (MeasuredCpu.CoresOf(report), MeasuredCpu.MachineCoresOf(report));
        var shares = MeasuredCpu.SharesMachine(report) && fleet.Workers * cores >= all;
        return fleet with
        {
            Cores = shares ? all : cores, SharesCores = shares, AccountCpuMsPerAttempt = shares ? accountCpuMs : 0,
        };
    }

    /// <summary>How a query asks for its pages; null for other workloads, and where it is not known how many there are.</summary>
    private static FleetQuery? QueryOf(PredictionBase known) =>
        known is { Spec.Workload: { Kind: WorkloadKind.Query, Query: { } query }, PagesPerOperation: { } pages }
            ? new FleetQuery(
                pages,
                query.MaxConcurrency switch { < 0 => int.MaxValue, null or 0 => 1, var most => most.Value },
                OverPartitions: query.PartitionKey is null,
                known.PlansPerOperation)
            : null;
}

/// <summary>The keys of a run's documents, to see how operations spread over partitions.</summary>
internal sealed class KeySpread
{
    /// <summary>Keys that are looked at, unless there are fewer.</summary>
    private const int SampledKeys = 200_000;

    /// <summary>Share of different keys from which they count as keys of their own.</summary>
    private const double OwnKeys = 0.95;

    private const int FirstKeys = 2_000;

    private readonly Dictionary<string, int>? _counts;

    private KeySpread(Dictionary<string, int>? counts) => _counts = counts;

    /// <summary>The keys of a spec's documents, up to so many operations.</summary>
    public static KeySpread From(RunSpec spec, long operations = SampledKeys)
    {
        var documents = DocumentSources.For(
            spec.Document, spec.Workload.OfRun ?? spec.Id ?? "predicted", spec.Container.PartitionKeyPathFor(spec.Document));
        int? batch = spec.Workload.Kind == WorkloadKind.Batch ? spec.Workload.DocumentsPerOperation : null;
        var counts = new Dictionary<string, int>();
        for (var i = 0; i < Math.Min(operations, SampledKeys); i++)
        {
            var key = documents.KeyOf((long)i * (batch ?? 1), batch);
            counts[key] = counts.GetValueOrDefault(key) + 1;
            // Keys of their own are spread as evenly as the hash, whose ranges are equally wide.
            if (i == FirstKeys && counts.Count > OwnKeys * i)
                return new KeySpread(null);
        }

        return new KeySpread(counts.Count > OwnKeys * Math.Min(operations, SampledKeys) ? null : counts);
    }

    /// <summary>How they spread over so many partitions, by their hashes; null where hardly any two are the same.</summary>
    public IReadOnlyList<double>? WeightsFor(int partitions)
    {
        if (_counts is null)
            return null;
        var map = PartitionKeyRangeMap.Even(PartitionKeyVersion.V2, partitions);
        var weights = new double[partitions];
        foreach (var (key, count) in _counts)
            weights[map.IndexOf(PartitionKeyValue.From(Encoding.UTF8.GetBytes(key)))] += count;
        return weights;
    }
}
