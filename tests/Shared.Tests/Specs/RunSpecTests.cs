using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Specs;

public sealed class RunSpecTests
{
    [Fact]
    public void Read_WrittenValidSpec_IsTheSame() => Properties.Holds(Prop.ForAll(SpecGenerators.ValidSpecs, spec =>
        AssertHolds(spec, RunSpecReader.Read(JsonSerializer.Serialize(spec, ScaleOutJson.Indented)))));

    [Fact]
    public void Deserialize_WrittenValidSpec_IsTheSame() => Properties.Holds(Prop.ForAll(SpecGenerators.ValidSpecs, spec =>
    {
        var text = JsonSerializer.Serialize(spec, ScaleOutJson.Compact);

        Assert.Equivalent(spec, JsonSerializer.Deserialize<RunSpec>(text, ScaleOutJson.Compact), strict: true);
    }));

    [Fact]
    public void Check_ValidSpec_GivesItBack() => Properties.Holds(Prop.ForAll(SpecGenerators.ValidSpecs, spec =>
        AssertHolds(spec, RunSpecReader.Check(spec))));

    /// <summary>A database that is there has RU/s of its own. A written spec can be read again.</summary>
    [Fact]
    public void Read_ThroughputBesideThatOfADatabase_IsAnErrorOnAnotherAccount()
    {
        const string Both = """{"container":{"throughput":7000,"sharedThroughput":true}}""";
        Assert.Equal("container.throughput", Assert.Single(RunSpecReader.Read(Both, RunTarget.OtherAccount).Errors).Path);
        Assert.Empty(RunSpecReader.Read(Both, RunTarget.SimulatedAccount).Errors);
        var spec = RunSpecReader.Read("""{"container":{"sharedThroughput":true}}""", RunTarget.OtherAccount).Value!;
        Assert.Empty(RunSpecReader.Check(spec, RunTarget.OtherAccount).Errors);
    }

    [Fact]
    public void Write_NamedContainer_LeavesOutWhatOnlyAnOwnContainerHas()
    {
        var written = JsonSerializer.SerializeToNode(
            new RunSpec { Container = new ContainerSpec { Name = "existing" } }, ScaleOutJson.Compact)!;
        Assert.Equal(
            ["database", "name", "partitionKeyPath", "partitionKeyPaths"], written["container"]!.AsObject().Select(field => field.Key));
    }

    [Fact]
    public void Write_Durations_AreHoursMinutesSeconds()
    {
        var written = JsonSerializer.SerializeToNode(new RunSpec(), ScaleOutJson.Compact)!;
        Assert.Equal(("00:00:30", "00:00:03"), ((string)written["legDuration"]!, (string)written["warmup"]!));
    }

    [Theory]
    [InlineData(1, 180)]
    [InlineData(20, 180)]
    [InlineData(100, 420)]
    [InlineData(260, 900)]
    [InlineData(1_000, 900)]
    public void StartTimeout_LeftOut_GrowsWithTheWorkers(int workers, double seconds)
    {
        Assert.Equal(TimeSpan.FromSeconds(seconds), new RunSpec { Workers = workers }.StartTimeoutInEffect());
        Assert.Equal(
            TimeSpan.FromSeconds(7), new RunSpec { Workers = workers, StartTimeout = TimeSpan.FromSeconds(7) }.StartTimeoutInEffect());
    }

    private static void AssertHolds(RunSpec spec, ReadResult<RunSpec> reading)
    {
        Assert.Empty(reading.Errors);
        Assert.Equivalent(spec, reading.Value, strict: true);
    }
}
