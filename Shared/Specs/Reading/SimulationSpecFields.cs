namespace ScaleOut.Specs.Reading;

/// <summary>The fields of a <see cref="SimulationSpec"/>.</summary>
internal static class SimulationSpecFields
{
    private const int MostFaultRules = 1_000;

    /// <summary>Every split brings two partitions.</summary>
    private const int LargestPartition = SimulationSpec.MostPhysicalPartitions + (2 * SimulationSpec.MostSplits) - 1;

    private static readonly FaultRule Defaults = new();

    private static readonly IReadOnlyDictionary<string, LatencyProfile> Profiles =
        LatencyProfile.Named.ToDictionary(profile => profile.Name!);

    public static SimulationSpec Read(ISpecObject simulation) => new()
    {
        PhysicalPartitions = simulation.Field(
            "physicalPartitions", "Physical partitions of each container; one for every 6000 RU/s, at most 32, when left out.")
            .WholeInt(1, SimulationSpec.MostPhysicalPartitions),
        Latency = simulation.Field("latency", "A profile, or its four numbers; same-region when left out.").NameOrObject(Profiles, Latency),
        Consistency = simulation.Field("consistency", "The account's consistency; Session when left out.").Choice<ConsistencyLevel>(),
        Burst = simulation.Field("burst", "Whether partitions under 3000 RU/s bank up to 300 s of unused RU.").Flag() ?? false,
        Charges = simulation.Field("charges", "What operations cost, as measured elsewhere; as documented when left out.")
            .Nested(ChargeSpecFields.Read),
        Faults = simulation.Field("faults", "Faults that the account shows.").List(item => item.Nested(Fault)!, 0, MostFaultRules) ?? [],
        Splits = simulation.Field("splits", "Splits of physical partitions while the run goes on.")
            .List(item => item.Nested(Split)!, 0, SimulationSpec.MostSplits) ?? [],
    };

    private static PartitionSplit Split(ISpecObject split) => new()
    {
        AfterSeconds = split.Required("afterSeconds", "When, since the account's first document operation.")
            .Number(0, FaultRule.MostSeconds) ?? 0,
        Partition = split.Required("partition", "Ordinal of the physical partition; those that splits bring are counted on.")
            .WholeInt(0, LargestPartition) ?? 0,
    };

    private static LatencyProfile Latency(ISpecObject latency) => new()
    {
        RoundTripMs = Milliseconds(latency, "roundTripMs", "Network round trip, in both modes."),
        GatewayHopMs = Milliseconds(latency, "gatewayHopMs", "The gateway's extra hop, in Gateway mode only."),
        WriteMedianMs = Milliseconds(latency, "writeMedianMs", "Median service time of a write."),
        ReadMedianMs = Milliseconds(latency, "readMedianMs", "Median service time of a read or a query page."),
    };

    private static double Milliseconds(ISpecObject latency, string name, string about) =>
        latency.Required(name, about).Number(0, 10_000) ?? 0;

    private static FaultRule Fault(ISpecObject rule) => new()
    {
        Operation = rule.Field("operation", "Operations that it hits; all when left out.").Choice<FaultOperation>(),
        ConnectionMode = rule.Field("connectionMode", "Clients that it hits; both when left out.").Choice<ConnectionMode>(),
        Partition = rule.Field("partition", "Ordinal of the physical partition; all when left out.").WholeInt(0, LargestPartition),
        FromSeconds = rule.Field("fromSeconds", "Start, since the account's first document operation; 0 when left out.")
            .Number(0, FaultRule.MostSeconds) ?? Defaults.FromSeconds,
        UntilSeconds = rule.Field("untilSeconds", "End; never when left out.").Number(0, FaultRule.MostSeconds),
        Probability = rule.Field("probability", "Chance of a hit; 1 when left out.")
            .Number(0, 1, aboveMinimum: true) ?? Defaults.Probability,
        MaxHits = rule.Field("maxHits", "Hits after which the rule is spent; no limit when left out.").Whole(1, 1_000_000_000_000),
        Status = rule.Field("status", "HTTP status to respond with instead of doing the operation.").WholeInt(400, 599),
        SubStatus = rule.Field("subStatus", "Sub-status beside the status.").WholeInt(0, int.MaxValue),
        DelayMs = rule.Field("delayMs", "Time to wait before anything else is done.").Number(0, 600_000, aboveMinimum: true),
        CloseConnection = rule.Field("closeConnection", "Whether the connection is closed instead of responding.")
            .Flag() ?? Defaults.CloseConnection,
        AfterOperation = rule.Field("afterOperation", "Whether the operation is done before the fault shows.")
            .Flag() ?? Defaults.AfterOperation,
    };
}
