namespace ScaleOut.Specs.Reading;

/// <summary>The fields of a <see cref="SimulationSpec"/>.</summary>
internal static class SimulationSpecFields
{
    /// <summary>Every split brings two partitions, every merge one.</summary>
    private const int LargestPartition =
        SimulationSpec.MostPhysicalPartitions + (2 * SimulationSpec.MostSplits) + SimulationSpec.MostMerges - 1;

    private static readonly FaultRule Defaults = new();
    private static readonly LatencyProfile LatencyDefaults = new();
    private static readonly ThrottlingSpec ThrottlingDefaults = new();

    private static readonly IReadOnlyDictionary<string, LatencyProfile> Profiles =
        LatencyProfile.Named.ToDictionary(profile => profile.Name!);

    public static SimulationSpec Read(ISpecObject simulation) => new()
    {
        PhysicalPartitions = simulation.Field(
            "physicalPartitions", "Physical partitions of each container; when left out one for every "
                + $"{SimulationSpec.RequestUnitsPerPartition} RU/s, with autoscale for every "
                + $"{SimulationSpec.MostRequestUnitsPerPartition}, at most {SimulationSpec.MostPartitionsUnasked}.")
            .WholeInt(1, SimulationSpec.MostPhysicalPartitions),
        Latency = simulation.Field("latency", $"A profile, or its numbers; {LatencyProfile.Default.Name} when left out.")
            .NameOrObject(Profiles, Latency),
        Throttling = simulation.Field("throttling", "What a 429 says.").Nested(Throttling),
        Consistency = simulation.Field("consistency", $"The account's consistency; {SimulationSpec.DefaultConsistency} when left out.")
            .Choice<ConsistencyLevel>(),
        Burst = simulation.Field("burst", $"Whether partitions under {SimulationSpec.BurstRequestUnitsPerSecond} RU/s bank up to "
            + $"{SimulationSpec.BurstBankSeconds} s of unused RU.").Flag() ?? false,
        Charges = simulation.Field("charges", "What operations cost, as measured elsewhere; as documented when left out.")
            .Nested(ChargeSpecFields.Read),
        Profile = simulation.Field("profile", "The measured profile that these physics were taken from; it only describes them.")
            .Nested(Profile),
        Faults = simulation.Field("faults", "Faults that the account shows.")
            .List(item => item.Nested(Fault)!, 0, SimulationSpec.MostFaultRules) ?? [],
        SplitDelay = simulation.Field(
            "splitDelay", "How long a raise of the throughput takes that needs more partitions; at once when left out.")
            .Duration(TimeSpan.Zero, SimulationSpec.LongestSplitDelay) ?? TimeSpan.Zero,
        Splits = simulation.Field("splits", "Splits of physical partitions while the run goes on.")
            .List(item => item.Nested(Split)!, 0, SimulationSpec.MostSplits) ?? [],
        Merges = simulation.Field("merges", "Merges of physical partitions while the run goes on.")
            .List(item => item.Nested(Merge)!, 0, SimulationSpec.MostMerges) ?? [],
        StorageFactor = simulation.Field(
            "storageFactor", "Bytes that each byte counts as for 20 GB a partition key and 50 GB a physical partition; 1 when left out.")
            .WholeInt(1, SimulationSpec.MostStorageFactor) ?? 1,
    };

    private static ProfileReference Profile(ISpecObject profile) => new()
    {
        Name = profile.Required("name", "The profile's name.").Text(TextForm.Filled(200)) ?? "",
        MeasuredAt = profile.Required("measuredAt", "When it was measured.").Text(ProfileReference.InstantForm) ?? "",
        Account = profile.Required("account", "Host of the account that was measured.").Text(TextForm.Filled(200)) ?? "",
        Region = profile.Field("region", "The account's region.").Text(TextForm.Free(200)),
    };

    private static PartitionSplit Split(ISpecObject split) => new()
    {
        AfterSeconds = AfterSeconds(split),
        Partition = split.Required("partition", "Ordinal of the physical partition; those that splits and merges bring are counted on.")
            .WholeInt(0, LargestPartition) ?? 0,
    };

    private static PlannedMerge Merge(ISpecObject merge) => new()
    {
        AfterSeconds = AfterSeconds(merge),
        Partition = merge.Required("partition", "Ordinal of the physical partition that is merged with the one whose range follows.")
            .WholeInt(0, LargestPartition) ?? 0,
    };

    private static double AfterSeconds(ISpecObject change) =>
        change.Required("afterSeconds", "When, since the account's first document operation.").Number(0, FaultRule.MostSeconds) ?? 0;

    private static ThrottlingSpec Throttling(ISpecObject throttling) => new()
    {
        RetryAfterMinMs = throttling.Field("retryAfterMinMs", $"Shortest retry-after; {ThrottlingDefaults.RetryAfterMinMs} when left out.")
            .WholeInt(1, ThrottlingSpec.MostRetryAfterMs) ?? ThrottlingDefaults.RetryAfterMinMs,
        RetryAfterMaxMs = throttling.Field("retryAfterMaxMs", $"Longest retry-after; {ThrottlingDefaults.RetryAfterMaxMs} when left out.")
            .WholeInt(1, ThrottlingSpec.MostRetryAfterMs) ?? ThrottlingDefaults.RetryAfterMaxMs,
        RetryAfterSpread = Number(throttling, "retryAfterSpread", "How far a random factor goes from the time until there are RU again",
            1, ThrottlingDefaults.RetryAfterSpread),
    };

    private static LatencyProfile Latency(ISpecObject latency) => new()
    {
        RoundTripMs = Milliseconds(latency, "roundTripMs", "Network round trip, in both modes."),
        GatewayHopMs = Milliseconds(latency, "gatewayHopMs", "The gateway's extra hop, in Gateway mode only."),
        WriteMedianMs = Milliseconds(latency, "writeMedianMs", "Median service time of a write."),
        ReadMedianMs = Milliseconds(latency, "readMedianMs", "Median service time of a read or a query page."),
        LogStandardDeviation = Number(latency, "logStandardDeviation", "Standard deviation of the service time's logarithm",
            LatencyProfile.MostLogStandardDeviation, LatencyDefaults.LogStandardDeviation),
        PerKilobyteMs = Number(latency, "perKilobyteMs", "Service time for each KB beyond the first",
            LatencyProfile.MostMs, LatencyDefaults.PerKilobyteMs),
        PerBatchOperationMs = Number(latency, "perBatchOperationMs", "Service time for each further operation of a batch or bulk request",
            LatencyProfile.MostMs, LatencyDefaults.PerBatchOperationMs),
        LoadFactor = Number(latency, "loadFactor", "By how much of itself the service time grows where a partition uses its whole budget",
            LatencyProfile.MostLoadFactor, LatencyDefaults.LoadFactor),
        TailShare = Number(latency, "tailShare", "Share of requests in a heavier tail", 1, LatencyDefaults.TailShare),
        TailFactor = Number(latency, "tailFactor", "Times the service time of a request in the tail",
            LatencyProfile.MostTailFactor, LatencyDefaults.TailFactor, least: 1),
        WriteQuantiles = Quantiles(latency, "writeQuantiles", "Measured service times of writes, as [probability, ms]."),
        ReadQuantiles = Quantiles(latency, "readQuantiles", "Measured service times of reads, as [probability, ms]."),
    };

    private static IReadOnlyList<LatencyQuantile>? Quantiles(ISpecObject latency, string name, string about) =>
        latency.Field(name, about).List(
            point => point.List(number => number.Number(0, LatencyProfile.MostMs) ?? 0, 2, 2) is [var probability, var ms]
                ? new LatencyQuantile(probability, ms)
                : default,
            2, LatencyProfile.MostQuantiles);

    private static double Number(
        ISpecObject holder, string name, string about, double most, double standard, double least = 0) =>
        holder.Field(name, $"{about}; {standard} when left out.").Number(least, most) ?? standard;

    private static double Milliseconds(ISpecObject latency, string name, string about) =>
        latency.Required(name, about).Number(0, LatencyProfile.MostMs) ?? 0;

    private static FaultRule Fault(ISpecObject rule) => new()
    {
        Operation = rule.Field("operation", "Operations that it hits; all when left out.").Choice<FaultOperation>(),
        ConnectionMode = rule.Field("connectionMode", "Clients that it hits; both when left out.").Choice<ConnectionMode>(),
        Partition = rule.Field("partition", "Ordinal of the physical partition; all when left out.").WholeInt(0, LargestPartition),
        FromSeconds = Number(rule, "fromSeconds", "Start, since the account's first document operation",
            FaultRule.MostSeconds, Defaults.FromSeconds),
        UntilSeconds = rule.Field("untilSeconds", "End; never when left out.").Number(0, FaultRule.MostSeconds),
        Probability = rule.Field("probability", $"Chance of a hit; {Defaults.Probability} when left out.")
            .Number(0, 1, aboveMinimum: true) ?? Defaults.Probability,
        MaxHits = rule.Field("maxHits", "Hits after which the rule is spent; no limit when left out.").Whole(1, FaultRule.MostHits),
        Status = rule.Field("status", "HTTP status to respond with instead of doing the operation.").WholeInt(400, 599),
        SubStatus = rule.Field("subStatus", "Sub-status beside the status.").WholeInt(0, int.MaxValue),
        DelayMs = rule.Field("delayMs", "Time to wait before anything else is done.").Number(0, FaultRule.MostDelayMs, aboveMinimum: true),
        CloseConnection = rule.Field("closeConnection", "Whether the connection is closed instead of responding.")
            .Flag() ?? Defaults.CloseConnection,
        AfterOperation = rule.Field("afterOperation", "Whether the operation is done before the fault shows.")
            .Flag() ?? Defaults.AfterOperation,
    };
}

/// <summary>The fields of a <see cref="ChargeSpec"/>.</summary>
internal static class ChargeSpecFields
{
    public static ChargeSpec Read(ISpecObject charges) => new()
    {
        ReadPoints = Points(charges, "readPoints", "RU of point reads by size, ascending; the documented table when left out."),
        WritePoints = Points(charges, "writePoints", "RU of creates without index by size, ascending; the documented table when left out."),
        PerIndexedTerm = RequestUnits(charges, "perIndexedTerm", "RU of each index entry that a write adds or removes"),
        PerPatchedProperty = RequestUnits(charges, "perPatchedProperty", "RU of each operation of a patch"),
        PerQueryPage = RequestUnits(charges, "perQueryPage", "RU of each page of a query from each physical partition"),
        PerIndexLookup = RequestUnits(charges, "perIndexLookup", "RU of each condition or ORDER BY of a query that the index serves"),
        LoadedShare = Share(charges, "loadedShare", "Part of its read charge that a document costs that a query loads"),
        ReturnedShare = Share(charges, "returnedShare", "Part of its read charge that a document costs besides that a query returns"),
    };

    private static IReadOnlyList<SizeCharge>? Points(ISpecObject charges, string name, string about) =>
        charges.Field(name, about).List(item => item.Nested(Point)!, ChargeSpec.FewestPoints, ChargeSpec.MostPoints);

    private static SizeCharge Point(ISpecObject point) => new(
        point.Required("bytes", "Size of the document.").Whole(1, ChargeSpec.LargestBytes) ?? 1,
        point.Required("requestUnits", "What it is charged.").Number(0, ChargeSpec.MostRequestUnits, aboveMinimum: true) ?? 1);

    private static double? RequestUnits(ISpecObject charges, string name, string about) =>
        charges.Field(name, $"{about}; as documented when left out.").Number(0, ChargeSpec.MostRequestUnits);

    private static double? Share(ISpecObject charges, string name, string about) =>
        charges.Field(name, $"{about}; as documented when left out.").Number(0, ChargeSpec.LargestShare);
}
