using ScaleOut.PartitionKeys;
using ScaleOut.Workers.Documents;

namespace ScaleOut.DevBox.Sizing;

/// <summary>Makes the fleet that is simulated from a run's spec.</summary>
internal static class FleetSpecs
{
    /// <summary>Errors for fields that a simulated fleet cannot have; empty if the spec can be simulated.</summary>
    public static IEnumerable<string> ErrorsOf(RunSpec spec)
    {
        if (spec.Workload.HasQueries)
        {
            yield return "workload.kind: queries are not sized; inserts, upserts, patches, reads, deletes, mixes of them, batches and bulk "
                + "are.";
        }

        if (spec.Workload.Kind.UsesTables())
            yield return "workload.kind: a table has no RU/s to size.";
        if (spec.Workload.Steps is not null)
            yield return "workload.steps: a fleet is sized for one load; give the concurrency or rate of one step.";
        if (spec.WorkerOverrides.Count > 0)
            yield return "workerOverrides: the workers of a fleet that is sized are all alike.";
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

    /// <summary>The kinds of a mix. Their charges add up to that of the basis.</summary>
    private static List<FleetOperation> MixOf(FleetBasis known)
    {
        if (known.Spec.Workload.Mix is null)
            return [];
        var factor = known.ChargePerDocument / RunEstimate.ChargeOf(known.Spec, known.BytesPerDocument);
        return
        [
            .. known.Spec.Workload.Shares.Select(one => new FleetOperation(
                one.Share, !one.Kind.Reads(), factor * RunEstimate.ChargeOf(known.Spec, one.Kind, known.BytesPerDocument))),
        ];
    }

    /// <summary>The fleet of a spec on a given number of partitions.</summary>
    /// <param name="keys">How the documents' keys spread; null to find that out from the documents.</param>
    public static FleetSpec From(FleetBasis known, int partitions, KeySpread? keys = null)
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
            BytesPerDocument = known.BytesPerDocument,
            ChargePerDocument = known.ChargePerDocument,
            Mix = MixOf(known),
            Throughput = spec.Container.Throughput,
            Partitions = partitions,
            PartitionWeights = (keys ?? KeySpread.From(spec)).WeightsFor(partitions),
            Latency = known.Latency,
            Throttling = simulation.Throttling ?? new ThrottlingSpec(),
            Burst = simulation.Burst,
            Cores = client.Cores ?? 1,
            CpuMsPerAttempt = known.CpuMsPerAttempt ?? 0,
            OverheadMs = known.OverheadMs,
            Seed = spec.Seed,
        };
    }
}

/// <summary>The keys of a run's documents, to see how operations spread over partitions.</summary>
internal sealed class KeySpread
{
    /// <summary>Count of documents whose keys are looked at.</summary>
    private const int SampledKeys = 200_000;

    /// <summary>Share of different keys above which each document counts as having a key of its own.</summary>
    private const double OwnKeys = 0.95;

    private const int FirstKeys = 2_000;

    private readonly Dictionary<string, int>? _counts;

    /// <summary>Whether hardly any two documents share a key.</summary>
    public bool IsEven => _counts is null;

    private KeySpread(Dictionary<string, int>? counts) => _counts = counts;

    /// <summary>The keys of a spec's documents.</summary>
    public static KeySpread From(RunSpec spec)
    {
        var documents = DocumentSources.For(
            spec.Document, spec.Workload.OfRun ?? spec.Id ?? "sized", spec.Container.PartitionKeyPathFor(spec.Document));
        int? batch = spec.Workload.Kind == WorkloadKind.Batch ? spec.Workload.DocumentsPerOperation : null;
        var counts = new Dictionary<string, int>();
        for (var i = 0; i < SampledKeys; i++)
        {
            var key = documents.KeyOf((long)i * (batch ?? 1), batch);
            counts[key] = counts.GetValueOrDefault(key) + 1;
            // Different keys spread evenly, because the partitions have equal ranges of the hash.
            if (i == FirstKeys && counts.Count > OwnKeys * i)
                return new KeySpread(null);
        }

        return new KeySpread(counts.Count > OwnKeys * SampledKeys ? null : counts);
    }

    /// <summary>The weight of each partition by the hashes of the keys; null if hardly any two documents share a key.</summary>
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
