namespace ScaleOut.Sizing;

/// <summary>What a reader of a size has to know beside its figures.</summary>
internal static class SizeNotes
{
    public static IEnumerable<string> Of(FleetTrials trials, FleetSettings shown)
    {
        var (question, spec) = (trials.Question, trials.Basis.Spec);
        var (cores, autoscale) = (spec.SettingsOf(0).Cores ?? 1, spec.Container.Autoscale);
        yield return $"A fleet holds the rate if the condition holds, its clients use at most "
            + $"{Numbers.Percent(FleetForecast.MaxClientShare)} of their cores, and no operation begins a second late.";
        yield return SizeConnections.Describe(spec, shown);
        yield return $"Workers with more than {Words.Amount(cores, "core")} are not looked for.";
        var created = PartitionChoice.CreatedWith(trials, shown.Throughput);
        if (created != shown.Partitions && question.OnPartitions is null)
        {
            var first = shown.Partitions
                * (spec.Container.IsDense ? SimulationSpec.MaxRequestUnitsPerPartition : SimulationSpec.RequestUnitsPerPartition);
            var raised = first <= shown.Throughput;
            var scaled = SimulationSpec.ServicePartitionsFor(StorageNeeds.RoundUp(shown.Throughput, autoscale: true), dense: true);
            yield return $"To get {Words.Amount(shown.Partitions, "partition")}, create the container with {Numbers.Count(first)} RU/s "
                + $"and {(raised ? "raise" : "lower")} it to {Numbers.Count(shown.Throughput)}"
                + (raised && !autoscale && scaled == shown.Partitions ? ", or with autoscale of as much: " : ": ")
                + $"created with {(autoscale ? "" : "fixed ")}{Numbers.Count(shown.Throughput)} RU/s it has {Numbers.Count(created)}, "
                + "and so has the run of the spec above.";
        }

        yield return "On a container that exists, partitions may have unequal shares of the keys, because raised RU/s split only some of "
            + "them; the busiest one then has less than is counted with here.";
        if (shown.Bulk && !spec.Workload.UsesBulk)
            yield return "The CPU of an operation was measured without bulk, where it is dearer.";
        if (shown.Mode != spec.SettingsOf(0).ConnectionMode)
            yield return $"The CPU of an operation was measured in {spec.SettingsOf(0).ConnectionMode} mode.";
        if (question.Day is not null)
            yield return "Workers are counted for all hours, also for those with less than the rate.";
        if (question.Plan.Regions > 1)
        {
            yield return "Reads are done in one region, and every region does all writes. The rate is that of all regions together.";
            if (spec.IsStrong())
            {
                yield return "With strong consistency a write waits for the regions that are farthest from each other, two round trips and "
                    + "10 ms more. These latencies are without that.";
            }
        }

        foreach (var note in OfDocuments(trials, shown))
            yield return note;
        if (spec.Client.Rate is not null)
            yield return "client.rate of the spec is replaced by each worker's share of the rate.";
        if (spec.Simulation?.Burst == true)
            yield return "Burst capacity is left out, because the rate is to be held.";
    }

    /// <summary>What becomes of documents that expire, of those of a load, and of those that queries find.</summary>
    private static IEnumerable<string> OfDocuments(FleetTrials trials, FleetSettings shown)
    {
        // A delete costs as much as the insert.
        var expiring = trials.Growth.ExpiringPerSecond > 0
            ? trials.Growth.ExpiringPerSecond * trials.Basis.ChargeOf(WorkloadKind.Insert, 1)
            : 0;
        var left = shown.Throughput - trials.Used;
        if (expiring > 0 && left < expiring)
        {
            yield return $"Documents that expire are deleted with RU that nothing else takes: that needs about {Numbers.Brief(expiring)} "
                + $"RU/s, and {Numbers.Brief(Math.Max(0, left))} are left. The rest stays stored, and is billed, until the rate is lower.";
        }

        if (trials.Question is { Within: not null, Plan.Reserved: not Reservation.None })
            yield return "The RU/s of the load are billed without the reservation, which is for the months after it.";
        if (trials.Basis.Queries is not null)
        {
            yield return "A query's figures are the mean over the documents that it is sent for. The plan that a client may ask for before "
                + "a query of all partitions is left out. A run of the spec above stores fewer documents, of which its queries find fewer.";
        }
    }
}
