namespace ScaleOut.Tests.Shared.Json;

public sealed class ScaleOutJsonTests
{
    [Fact]
    public void Serialize_Enums_KeepTheirOwnSpelling() => Assert.Equal(
        """["perfTest","bulk","Gateway","BoundedStaleness"]""",
        JsonSerializer.Serialize(
            new object[] { DocumentKind.PerfTest, WorkloadKind.Bulk, ConnectionMode.Gateway, ConsistencyLevel.BoundedStaleness },
            ScaleOutJson.Compact));

    [Fact]
    public void Deserialize_EnumAsNumber_Throws() =>
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<ConnectionMode>("1", ScaleOutJson.Compact));
}
