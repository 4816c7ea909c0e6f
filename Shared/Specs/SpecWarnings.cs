namespace ScaleOut.Specs;

/// <summary>Warnings about a valid spec: settings that the service cannot fulfil, and probable mistakes.</summary>
public static class SpecWarnings
{
    /// <summary>Sentences that begin with the path of a field.</summary>
    /// <param name="spec">A valid spec.</param>
    public static IReadOnlyList<string> From(RunSpec spec, RunTarget target = RunTarget.Undecided) => spec.Workload.Kind.UsesTables()
        ? []
        : [.. Rates(spec, target), .. Timer(spec, target), .. Key(spec), .. Partitions(spec, target), .. Burst(spec)];

    /// <summary>Warns if an open loop wants more RU/s than the run's own container has, for longer than its burst credit lasts.</summary>
    private static IEnumerable<string> Rates(RunSpec spec, RunTarget target)
    {
        if (!spec.SaysThroughput(target))
            yield break;
        var (step, mean) = (spec.Workload.Steps?.MaxBy(one => one.Rate), RunEstimate.ChargeOf(spec));
        var loads = Enumerable.Range(0, spec.Workers).Select(worker =>
        {
            var (rate, own) = ((spec.Workload.Steps is null ? spec.SettingsOf(worker).Rate : step?.Rate) ?? 0, spec.AsOf(worker));
            var wanted = rate * (spec.HasOwnMixes() ? RunEstimate.ChargeOf(own) : mean);
            var permitted = own.Workload.PaceOf(spec.Container.Throughput) / spec.Workers;
            return (Rate: rate, Wanted: wanted, Used: Math.Min(wanted, permitted ?? wanted));
        }).ToList();
        var (perSecond, wanted, used) = (loads.Sum(one => one.Rate), loads.Sum(one => one.Wanted), loads.Sum(one => one.Used));
        var seconds = step?.Duration.TotalSeconds ?? (spec.Documents / perSecond);
        if (used > spec.Container.Throughput && RunEstimate.SecondsOfBudget(spec, used * seconds) > seconds)
            yield return $"{(step is null ? "client.rate" : "workload.steps")}: {perSecond:#,0.##} operations per second of {spec.Workers} "
                + $"workers want about {wanted:#,0} RU/s, {wanted / perSecond:0.##} each, and container.throughput is "
                + $"{spec.Container.Throughput:#,0}: they fall behind and are throttled. It serves about "
                + $"{spec.Container.Throughput * perSecond / wanted:#,0.##} per second.";
    }

    /// <summary>Warns if the timer of the SDK's bulk mode decides the time of a run.</summary>
    private static IEnumerable<string> Timer(RunSpec spec, RunTarget target)
    {
        var slow = Enumerable.Range(0, spec.Workers).Select(spec.SettingsOf)
            .FirstOrDefault(settings => RunEstimate.WaitsForBulkTimer(spec, settings) && settings.Rate is null);
        if (slow is null || spec.Workload.Steps is not null
            || RunEstimate.From(spec, target) is not { Seconds: { } seconds } estimate
            || (spec.SaysThroughput(target) && seconds <= 1.01 * estimate.RequestUnits / spec.Container.Throughput))
            yield break;
        yield return $"client.concurrency: {slow.Concurrency} operations in flight do not fill bulk requests of "
            + $"{RunEstimate.BulkRequestDocuments} for each physical partition, so each waits for the SDK's timer, which sends every "
            + $"{RunEstimate.BulkFlushMs} ms. More in flight are faster, and so are single operations (kind insert).";
    }

    /// <summary>Warns if one partition key gets more than a logical partition can hold, of the kind that has most for one.</summary>
    private static IEnumerable<string> Key(RunSpec spec)
    {
        if (spec.Document.Kind is not (DocumentKind.Template or DocumentKind.Mixed))
            yield break;
        var paths = spec.Container.KeyPathsFor(spec.Document);
        var (share, bytes) = DocumentMix.ByKind(spec).Select(one =>
            (Share: one.Share * KeyShareOf(one.Spec, paths), Bytes: StoredBytes(one.Spec))).MaxBy(one => one.Share * one.Bytes);
        var path = string.Join(", ", paths);
        var field = paths.Count == 1 ? "partitionKeyPath" : "partitionKeyPaths";
        var limit = CosmosLimits.MaxGigabytesPerKey * 1e9;
        if (share * bytes > limit)
            yield return $"container.{field}: the most frequent {path} has about {share:0.##%} of the documents, "
                + $"{share * bytes / 1e9:#,0.#} of {StoredBytes(spec) / 1e9:#,0.#} GB. A logical partition holds "
                + $"{CosmosLimits.MaxGigabytesPerKey} GB: it is full after {spec.Documents * (limit / (share * bytes)):#,0} of "
                + $"{spec.Documents:#,0} documents, and every further write to it fails with 403/1014.";
    }

    /// <summary>Share of the most frequent key among documents of one kind; 0 if no template says it.</summary>
    private static double KeyShareOf(RunSpec spec, IReadOnlyList<string> paths) =>
        spec.Document is { Kind: DocumentKind.Template, Template: { } template }
        && DocumentTemplate.Compile(template).Texts is var texts && paths.All(one => texts.ContainsKey(one[1..]))
            // The texts at different places of a template are independent of each other.
            ? paths.Aggregate(1.0, (product, one) => product * KeyShare.LargestOf(texts[one[1..]]))
            : 0;

    /// <summary>Warns if the documents fill more physical partitions than the container begins with.</summary>
    private static IEnumerable<string> Partitions(RunSpec spec, RunTarget target)
    {
        if (!spec.SaysThroughput(target))
            yield break;
        var begins = spec.Simulation?.PhysicalPartitions
            ?? SimulationSpec.ServicePartitionsFor(spec.Container.Throughput, spec.Container.IsDense);
        var bytes = StoredBytes(spec);
        var filled = Math.Ceiling(bytes / (CosmosLimits.MaxGigabytesPerPartition * 1e9));
        if (filled > begins)
            yield return $"documents: about {bytes / 1e9:#,0.#} GB fill {filled:#,0} physical partitions of "
                + $"{CosmosLimits.MaxGigabytesPerPartition} GB, and the container begins with {begins:#,0}: they split while the run "
                + $"goes on, and each then has a smaller share of the RU/s.";
    }

    /// <summary>Warns if partitions have too many RU/s for the burst capacity that the spec asks for.</summary>
    private static IEnumerable<string> Burst(RunSpec spec)
    {
        if (spec.Container.Name is not null || spec.Simulation is not { Burst: true } simulation)
            yield break;
        var each = (double)spec.Container.Throughput / simulation.PartitionsFor(spec.Container);
        if (each >= SimulationSpec.BurstRequestUnitsPerSecond)
            yield return $"simulation.burst: each physical partition has {each:#,0.##} RU/s, and only those under "
                + $"{SimulationSpec.BurstRequestUnitsPerSecond:#,0} RU/s have burst capacity.";
    }

    /// <summary>Bytes of all documents that the run writes, by their typical size, as the account counts them.</summary>
    private static double StoredBytes(RunSpec spec)
    {
        var written = spec.Documents * spec.MeanOf(own => own.Workload.Shares
            .Where(one => one.Kind is not WorkloadKind.Patch && !one.Kind.NeedsDocuments()).Sum(one => one.Share));
        var before = spec.Workload.NeedsDocuments && spec.Container.Name is null ? spec.PreloadOf() : 0;
        return (written + before) * DocumentShape.From(spec.Document).Bytes * (spec.Simulation?.StorageFactor ?? 1);
    }
}
