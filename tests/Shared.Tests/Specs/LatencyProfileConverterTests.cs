namespace ScaleOut.Tests.Shared.Specs;

public sealed class LatencyProfileConverterTests
{
    public static TheoryData<string> Names => [.. LatencyProfile.Named.Select(profile => profile.Name!)];

    [Theory, MemberData(nameof(Names))]
    public void Write_NamedProfile_IsItsName(string name)
    {
        var profile = LatencyProfile.Named.Single(candidate => candidate.Name == name);
        Assert.Equal($"\"{name}\"", Json(profile));
        Assert.Equal(profile, Read(Json(profile)));
    }

    [Fact]
    public void Write_ProfileThatDiffersFromItsName_KeepsTheNumbers()
    {
        var text = Json(LatencyProfile.SameRegion with { WriteMedianMs = 9 });
        Assert.Equal("""{"roundTripMs":1.3,"gatewayHopMs":2,"writeMedianMs":9,"readMedianMs":1.5}""", text);
        Assert.Equal(9, Read(text).WriteMedianMs);
    }

    [Fact]
    public void Write_FieldsThatDifferFromTheirDefaults_AreKept()
    {
        LatencyQuantile[] quantiles = [new(0.5, 4), new(0.9, 7.5)];
        var text = Json(new() { WriteMedianMs = 4, TailShare = 0.01, PerBatchOperationMs = 0, WriteQuantiles = quantiles });

        Assert.Equal(
            """{"roundTripMs":0,"gatewayHopMs":0,"writeMedianMs":4,"readMedianMs":0,"perBatchOperationMs":0,"tailShare":0.01,"""
                + "\"writeQuantiles\":[[0.5,4],[0.9,7.5]]}",
            text);
        var read = Read(text);
        Assert.Equal((0.01, 0.0, 0.35), (read.TailShare, read.PerBatchOperationMs, read.LogStandardDeviation));
        Assert.Equal(quantiles, read.WriteQuantiles!);
    }

    [Theory]
    [InlineData("""{"roundTripMs":1,"gatewayHopMs":2,"writeMedianMs":9,"readMedianMs":1.5,"readQuantiles":[[0.5]]}""")]
    [InlineData("\"far\"")]
    [InlineData("5")]
    [InlineData("""{"roundTripMs":1}""")]
    [InlineData("""{"roundTripMs":1,"gatewayHopMs":2,"writeMedianMs":9,"readMedianMs":1.5,"jitterMs":1}""")]
    public void Read_NoProfile_Throws(string text) => Assert.Throws<JsonException>(() => Read(text));

    private static string Json(LatencyProfile profile) => JsonSerializer
        .SerializeToNode(new SimulationSpec { Latency = profile }, ScaleOutJson.Compact)!["latency"]!.ToJsonString(ScaleOutJson.Compact);

    private static LatencyProfile Read(string text) =>
        JsonSerializer.Deserialize<SimulationSpec>($"{{\"latency\":{text}}}", ScaleOutJson.Compact)!.Latency!;
}
