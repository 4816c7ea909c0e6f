namespace ScaleOut.Tests.Shared.Profiles;

public sealed class ProfileSimulationTests
{
    [Fact]
    public void Apply_EmptySpec_HasTheProfilesPhysicsAndNamesIt()
    {
        var simulation = Read([]);

        Assert.Equal((3, ConsistencyLevel.Eventual, true), (simulation.PhysicalPartitions, simulation.Consistency, simulation.Burst));
        Assert.Equal((12, 480), (simulation.Throttling!.RetryAfterMinMs, simulation.Throttling.RetryAfterMaxMs));
        Assert.Equal(("orders-2026-11-20", "orders.documents.azure.com"), (simulation.Profile!.Name, simulation.Profile.Account));
        Assert.Equal(SampleProfiles.Create().MeasuredAt, simulation.Profile.Instant());

        var charges = ChargeSpec.ModelOf(simulation.Charges);
        Assert.Equal((7.25, 7.87, 1.5), (Ru(charges.Create(1_024, 0)), Ru(charges.Create(1_024, 2)), Ru(charges.Read(1_024))));
        // What was not measured is as in the standard charges.
        var replace = charges.Replace(1_024, 1_024, 0);
        Assert.Equal(ChargeModel.Default.Patch(replace, 3), charges.Patch(replace, 3));
        Assert.Equal(ChargeModel.Default.Query, charges.Query);

        static double Ru(RequestUnits charge) => charge.Rounded().Value;
    }

    /// <summary>The rounded charges of such an account would make the simulated one less exact than the law.</summary>
    [Fact]
    public void From_AccountThatKeepsToTheLaw_LeavesTheChargesToTheLaw()
    {
        var profile = SampleProfiles.Create();
        Assert.Null(ProfileSimulation.From(
            profile with { Charges = profile.Charges with { Law = new LawCheck(3, Whole: 3, Counted: 3) } }).Charges);
        Assert.NotNull(ProfileSimulation.From(
            profile with { Charges = profile.Charges with { Law = new LawCheck(3, Whole: 3, Counted: 2) } }).Charges);
    }

    /// <summary>A profile of a former version has a charge of another kind of entry, which must not be taken for this one.</summary>
    [Fact]
    public void Read_ProfileWithAFormerChargeName_IsAnError()
    {
        var text = Encoding.UTF8.GetString(ProfileFile.Write(SampleProfiles.Create()));
        var content = JsonNode.Parse(text)!;
        var charges = Find(content)!;
        charges["perIndexedTerm"] = charges["perIndexEntry"]!.DeepClone();
        Assert.ThrowsAny<Exception>(() => charges.Deserialize<ChargeFigures>(ScaleOutJson.Indented));

        static JsonObject? Find(JsonNode? node) => node is not JsonObject one ? null
            : one["perIndexEntry"] is not null ? one
            : one.Select(property => Find(property.Value)).FirstOrDefault(found => found is not null);
    }

    [Fact]
    public void Apply_EmptySpec_HasTheProfilesLatency()
    {
        var latency = Read([]).Latency!;
        Assert.Equal((3.5, 1.75, 0.05), (latency.RoundTripMs, latency.GatewayHopMs, latency.PerKilobyteMs));
        Assert.Equal((6, 2.5), (latency.MedianServiceMs(write: true), latency.MedianServiceMs(write: false)));
        Assert.Equal((new LatencyProfile().LoadFactor, 5), (latency.LoadFactor, latency.WriteQuantiles!.Count));
    }

    [Fact]
    public void Apply_LargerDocumentThatCostLess_CostsTheSame() =>
        Assert.Equal([7.25, 30, 30], Read([]).Charges!.WritePoints!.Select(point => point.RequestUnits));

    [Fact]
    public void Apply_SpecWithOwnPhysics_KeepsWhatTheProfileDoesNotHold()
    {
        var spec = JsonNode.Parse(
            """{"simulation":{"latency":"cross-region","splits":[{"afterSeconds":5,"partition":0}],"physicalPartitions":7}}""")!.AsObject();
        var simulation = Read(spec);

        Assert.Single(simulation.Splits);
        Assert.Equal(3, simulation.PhysicalPartitions);
        Assert.Equal(3.5, simulation.Latency!.RoundTripMs);
    }

    [Fact]
    public void Apply_AccountThatKeepsToTheLaw_TakesTheChargesOutOfTheSpec()
    {
        var spec = JsonNode.Parse("""{"simulation":{"charges":{"perIndexEntry":1}}}""")!.AsObject();
        var profile = SampleProfiles.Create();
        ProfileSimulation.Apply(spec, profile with { Charges = profile.Charges with { Law = new LawCheck(2, Whole: 2, Counted: 2) } });
        Assert.Null(RunSpecReader.Read(spec, RunTarget.SimulatedAccount).Value!.Simulation!.Charges);
    }

    [Fact]
    public void Apply_DocumentedLayout_LeavesTheNumberOfPartitionsToTheThroughput()
    {
        var spec = new JsonObject();
        LayoutFigure[] layout = [.. new[] { 2_000, 12_000 }.Select(rus => new LayoutFigure(rus, SimulationSpec.DefaultPartitionsFor(rus)))];
        ProfileSimulation.Apply(spec, SampleProfiles.Create() with { Layout = layout });
        Assert.Null(RunSpecReader.Read(spec, RunTarget.SimulatedAccount).Value!.Simulation!.PhysicalPartitions);
    }

    [Theory]
    [InlineData("2026-02-30T00:00:00Z", "simulation.profile.measuredAt: 2026-02-30T00:00:00Z is no instant of the calendar")]
    [InlineData("yesterday", "simulation.profile.measuredAt: \"yesterday\" is not an instant in UTC such as \"2026-11-22T17:00:00Z\"")]
    public void ReadSpec_ProfileWithoutAValidInstant_IsAnError(string measuredAt, string error)
    {
        var reading = RunSpecReader.Read(
            $$$$"""{"simulation":{"profile":{"name":"a","account":"b","measuredAt":"{{{{measuredAt}}}}"}}}""", RunTarget.SimulatedAccount);
        Assert.Equal([error], reading.Errors.Select(one => one.ToString()));
    }

    private static SimulationSpec Read(JsonObject spec)
    {
        ProfileSimulation.Apply(spec, SampleProfiles.Create());
        var reading = RunSpecReader.Read(spec, RunTarget.SimulatedAccount);
        Assert.Empty(reading.Errors);
        return reading.Value!.Simulation!;
    }
}
