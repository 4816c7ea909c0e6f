namespace ScaleOut.Tests.Shared.Json;

public sealed class LatencyProfileConverterTests
{
    public static TheoryData<string> Names => [.. LatencyProfile.Named.Select(profile => profile.Name!)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Write_NamedProfile_IsItsName(string name)
    {
        var profile = LatencyProfile.Named.Single(candidate => candidate.Name == name);

        var text = JsonSerializer.Serialize(profile, ScaleOutJson.Compact);

        Assert.Equal($"\"{name}\"", text);
        Assert.Equal(profile, JsonSerializer.Deserialize<LatencyProfile>(text, ScaleOutJson.Compact));
    }

    [Fact]
    public void Write_ProfileThatDiffersFromItsName_KeepsTheNumbers()
    {
        var text = JsonSerializer.Serialize(LatencyProfile.SameRegion with { WriteMedianMs = 9 }, ScaleOutJson.Compact);

        Assert.Equal("""{"roundTripMs":1.3,"gatewayHopMs":2,"writeMedianMs":9,"readMedianMs":1.5}""", text);
        Assert.Equal(9, JsonSerializer.Deserialize<LatencyProfile>(text, ScaleOutJson.Compact)!.WriteMedianMs);
    }

    [Fact]
    public void Write_WhatHasNotItsDefault_IsKept()
    {
        var text = JsonSerializer.Serialize(
            new LatencyProfile
            {
                WriteMedianMs = 4, TailShare = 0.01, PerBatchOperationMs = 0, WriteQuantiles = [new(0.5, 4), new(0.9, 7.5)],
            },
            ScaleOutJson.Compact);

        Assert.Equal(
            """{"roundTripMs":0,"gatewayHopMs":0,"writeMedianMs":4,"readMedianMs":0,"perBatchOperationMs":0,"tailShare":0.01,"""
                + """
                "writeQuantiles":[[0.5,4],[0.9,7.5]]}
                """,
            text);
        var read = JsonSerializer.Deserialize<LatencyProfile>(text, ScaleOutJson.Compact)!;
        Assert.Equal((0.01, 0.0, 0.35), (read.TailShare, read.PerBatchOperationMs, read.LogStandardDeviation));
        Assert.Equal([new LatencyQuantile(0.5, 4), new LatencyQuantile(0.9, 7.5)], read.WriteQuantiles!);
    }

    [Theory]
    [InlineData("""{"roundTripMs":1,"gatewayHopMs":2,"writeMedianMs":9,"readMedianMs":1.5,"readQuantiles":[[0.5]]}""")]
    [InlineData("\"far\"")]
    [InlineData("5")]
    [InlineData("""{"roundTripMs":1}""")]
    [InlineData("""{"roundTripMs":1,"gatewayHopMs":2,"writeMedianMs":9,"readMedianMs":1.5,"jitterMs":1}""")]
    public void Read_NoProfile_Throws(string text) =>
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<LatencyProfile>(text, ScaleOutJson.Compact));
}
