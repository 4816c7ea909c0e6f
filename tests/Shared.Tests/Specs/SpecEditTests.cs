namespace ScaleOut.Tests.Shared.Specs;

public sealed class SpecEditTests
{
    [Theory]
    [InlineData("{}", """{"client":{"rate":5}}""")]
    [InlineData("""{"client":null}""", """{"client":{"rate":5}}""")]
    [InlineData("""{"client":{"rate":1,"concurrency":2}}""", """{"client":{"rate":5,"concurrency":2}}""")]
    [InlineData("""{"client":[]}""", """{"client":[]}""")]
    [InlineData("""{"client":"x"}""", """{"client":"x"}""")]
    public void Set_NestedField_CreatesMissingObjectsAndReplacesNoOtherValues(string json, string expected)
    {
        var root = JsonNode.Parse(json)!.AsObject();
        SpecEdit.Set(root, "client.rate", 5);
        Assert.Equal(expected, root.ToJsonString());
    }

    [Fact]
    public void Set_Null_LeavesTheDefault()
    {
        var reading = RunSpecReader.Read("""{"documents":0}""", edit: spec => SpecEdit.Set(spec, "documents", null));
        Assert.Equal(1_000_000, reading.Value!.Documents);
    }
}
