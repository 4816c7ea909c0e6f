namespace ScaleOut.Tests.Shared.Experiments;

public sealed class ClaimedRunTests
{
    private static readonly RunSpec Spec = new GridPlanner(ExperimentSample.From(2, 2)).All[3].Spec;

    [Fact]
    public void IsSame_ItsOwnSpec_IsTrueWithASimulationToo()
    {
        var simulated = Spec with { Simulation = new SimulationSpec() };
        Assert.True(ClaimedRun.IsSame(Claimed(Spec), Spec));
        Assert.True(ClaimedRun.IsSame(Claimed(simulated), simulated));
        Assert.False(ClaimedRun.IsSame(Claimed(Spec), simulated));
    }

    [Fact]
    public void IsSame_FieldThatAnEarlierVersionDidNotWrite_CountsAsItsDefault()
    {
        var earlier = JsonNode.Parse(Claimed(Spec))!.AsObject();
        Assert.True(earlier.Remove("legDuration"));
        Assert.True(ClaimedRun.IsSame(Encoding.UTF8.GetBytes(earlier.ToJsonString()), Spec));
    }

    [Fact]
    public void IsSame_AnotherPlanUnderTheSameId_IsFalse()
    {
        Assert.False(ClaimedRun.IsSame(Claimed(new RunSpec { Id = Spec.Id }), Spec));
        Assert.False(ClaimedRun.IsSame(Claimed(Spec with { Documents = Spec.Documents + 1 }), Spec));
        Assert.False(ClaimedRun.IsSame(Claimed(Spec with { Seed = Spec.Seed + 1 }), Spec));
    }

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("""{"documents":0}""")]
    public void IsSame_NoSpec_IsFalse(string claimed) => Assert.False(ClaimedRun.IsSame(Encoding.UTF8.GetBytes(claimed), Spec));

    private static byte[] Claimed(RunSpec spec) => JsonSerializer.SerializeToUtf8Bytes(spec, ScaleOutJson.Compact);
}
