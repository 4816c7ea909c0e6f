namespace ScaleOut.Analysis.Calibration;

/// <summary>
/// Splits latencies into the network round trip, the gateway's hop and the service time. Compares only runs of the same repeat, which were
/// measured one after the other.
/// </summary>
/// <remarks>
/// The service sends a 429 before it reads or writes anything, so the latency of a 429 is the round trip alone. Served operations,
/// even the fastest ones, have a service time as well.
/// </remarks>
internal static class ProfileLatency
{
    /// <summary>Largest share of the container's RU/s that a run may use so that its latencies count.</summary>
    private const double MaxUsed = 0.5;

    public static LatencyFigures From(IReadOnlyList<ProfileRun> runs, DocumentSizes sizes)
    {
        var roundTrips = ByRepeat(runs
            .Where(run => run is { KeptTime: true, Mode: ConnectionMode.Direct, Report.ThrottledResponses: not null })
            .Select(run => (run.Repeat, run.Report.ThrottledResponses!.LatencyMs.P50!.Value)));
        List<ProfileRun> quiet = [.. runs.Where(run => IsQuiet(run) && run.LatencyAt(0.5) is not null)];
        List<ProfileRun> direct = [.. quiet.Where(run => run.Mode == ConnectionMode.Direct)];
        var perKilobyte = PerKilobyte(direct, sizes);
        return new LatencyFigures
        {
            RoundTripMs = Blocks.Mean(roundTrips.Values),
            GatewayHopMs = Blocks.Mean(GatewayHops(quiet).Values),
            Write = Service(direct, sizes, roundTrips, WorkloadKind.Insert),
            Read = Service(direct, sizes, roundTrips, WorkloadKind.Read),
            PerKilobyteMs = Blocks.Mean(perKilobyte.Values),
            PerBatchOperationMs = Blocks.Mean(PerBatchOperation(direct, sizes, perKilobyte).Values),
        };
    }

    /// <summary>A run of the variant that service times are taken from: the smallest documents in Direct.</summary>
    public static ProfileRun? SmallestOf(IEnumerable<ProfileRun> runs, DocumentSizes sizes, WorkloadKind kind) => runs
        .Where(run => IsQuiet(run) && run.Mode == ConnectionMode.Direct && run.Spec.Workload.Kind == kind && sizes.BytesOf(run) is not null)
        .MinBy(sizes.BytesOf);

    private static ServiceFigures? Service(
        List<ProfileRun> direct, DocumentSizes sizes, Dictionary<int, double> roundTrips, WorkloadKind kind)
    {
        if (SmallestOf(direct, sizes, kind) is not { } smallest)
            return null;
        List<ProfileRun> runs =
        [
            .. direct.Where(run => run.Spec.Workload.Kind == kind && run.DocumentKey == smallest.DocumentKey
                && run.IndexEntries == smallest.IndexEntries && roundTrips.ContainsKey(run.Repeat)),
        ];
        MeasuredFigure? At(double probability) => runs.TrueForAll(run => run.LatencyAt(probability) is not null)
            ? Blocks.Mean(runs.Select(run => run.LatencyAt(probability)!.Value - roundTrips[run.Repeat]))
            : null;
        return At(0.5) is not { } median ? null : new ServiceFigures
        {
            MedianMs = median,
            Quantiles =
            [
                .. from one in runs[0].Report.LatencyMs.AttemptQuantiles
                   let figure = At(one.Probability)
                   where figure is not null
                   select new QuantileFigure(one.Probability, figure),
            ],
        };
    }

    /// <summary>By how many ms the same operations take longer in Gateway than in Direct.</summary>
    private static Dictionary<int, double> GatewayHops(List<ProfileRun> quiet) => ByRepeat(
        from run in quiet
        where run.Mode == ConnectionMode.Direct
        join other in quiet.Where(other => other.Mode == ConnectionMode.Gateway)
            on (run.Repeat, PlanOf(run)) equals (other.Repeat, PlanOf(other))
        select (run.Repeat, Median(other) - Median(run)));

    /// <summary>Equal for runs whose specs differ in nothing but name, seed and connection mode.</summary>
    private static string PlanOf(ProfileRun run) => JsonSerializer.Serialize(
        run.Spec with { Id = null, Name = null, Seed = 0, Client = run.Spec.Client with { ConnectionMode = null } }, ScaleOutJson.Compact);

    /// <summary>Ms per KB, from the smallest and the largest documents of each kind of operation.</summary>
    private static Dictionary<int, double> PerKilobyte(List<ProfileRun> direct, DocumentSizes sizes) => ByRepeat(
        from run in direct
        where run.Spec.Workload.Kind is WorkloadKind.Insert or WorkloadKind.Read && sizes.BytesOf(run) is not null
        group run by (run.Repeat, run.Spec.Workload.Kind, run.IndexEntries) into alike
        let small = alike.MinBy(sizes.BytesOf)
        let large = alike.MaxBy(sizes.BytesOf)
        let more = Beyond(sizes, large) - Beyond(sizes, small)
        where more > 0
        select (alike.Key.Repeat, (Median(large) - Median(small)) / more));

    private static Dictionary<int, double> PerBatchOperation(
        List<ProfileRun> direct, DocumentSizes sizes, Dictionary<int, double> perKilobyte) => ByRepeat(
        from batch in direct
        let count = batch.Spec.Workload.DocumentsPerOperation
        where count > 1 && sizes.BytesOf(batch) is not null && perKilobyte.ContainsKey(batch.Repeat)
        join insert in direct.Where(run => run.Spec.Workload.Kind == WorkloadKind.Insert)
            on (batch.Repeat, batch.DocumentKey, batch.IndexEntries) equals (insert.Repeat, insert.DocumentKey, insert.IndexEntries)
        let more = perKilobyte[batch.Repeat] * (Beyond(sizes, batch, count) - Beyond(sizes, insert))
        select (batch.Repeat, (Median(batch) - Median(insert) - more) / (count - 1)));

    /// <summary>KB beyond the first.</summary>
    private static double Beyond(DocumentSizes sizes, ProfileRun run, int documents = 1) =>
        Math.Max(0, (documents * sizes.KilobytesOf(run)!.Value) - 1);

    private static double Median(ProfileRun run) => run.LatencyAt(0.5)!.Value;

    /// <summary>One value for each repeat: the mean of those that were measured in it.</summary>
    private static Dictionary<int, double> ByRepeat(IEnumerable<(int Repeat, double Ms)> values) =>
        values.GroupBy(value => value.Repeat).ToDictionary(group => group.Key, group => group.Average(value => value.Ms));

    /// <summary>Whether a run's latencies are those of a container that is nearly idle.</summary>
    private static bool IsQuiet(ProfileRun run) =>
        run is { KeptTime: true, IsUndisturbed: true, Spec.Workload.UsesBulk: false }
        && run.Report.Utilization?.RequestUnits is not > MaxUsed;
}
