using System.Text.Json;
using ScaleOut.Json;
using ScaleOut.Specs;

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

    [Theory]
    [InlineData("\"far\"")]
    [InlineData("5")]
    [InlineData("""{"roundTripMs":1}""")]
    [InlineData("""{"roundTripMs":1,"gatewayHopMs":2,"writeMedianMs":9,"readMedianMs":1.5,"jitterMs":1}""")]
    public void Read_NoProfile_Throws(string text) =>
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<LatencyProfile>(text, ScaleOutJson.Compact));
}
