namespace ScaleOut.Tests.Shared.Experiments;

public sealed class PlanMergeTests
{
    // The examples of RFC 7396, appendix A, that concern objects.
    [Theory]
    [InlineData("""{"a":"b"}""", """{"a":"c"}""", """{"a":"c"}""")]
    [InlineData("""{"a":"b"}""", """{"b":"c"}""", """{"a":"b","b":"c"}""")]
    [InlineData("""{"a":"b"}""", """{"a":null}""", """{}""")]
    [InlineData("""{"a":"b","b":"c"}""", """{"a":null}""", """{"b":"c"}""")]
    [InlineData("""{"a":["b"]}""", """{"a":"c"}""", """{"a":"c"}""")]
    [InlineData("""{"a":"c"}""", """{"a":["b"]}""", """{"a":["b"]}""")]
    [InlineData("""{"a":{"b":"c"}}""", """{"a":{"b":"d","c":null}}""", """{"a":{"b":"d"}}""")]
    [InlineData("""{"a":[{"b":"c"}]}""", """{"a":[1]}""", """{"a":[1]}""")]
    [InlineData("""{"e":null}""", """{"a":1}""", """{"e":null,"a":1}""")]
    [InlineData("""{}""", """{"a":{"bb":{"ccc":null}}}""", """{"a":{"bb":{}}}""")]
    public void From_SpecAndChange_IsTheMergePatchOfTheStandard(string spec, string change, string merged)
    {
        var (before, patch) = (JsonNode.Parse(spec)!.AsObject(), JsonNode.Parse(change)!.AsObject());
        Assert.Equal(merged, PlanMerge.From(before, patch).ToJsonString());
        Assert.Equal((spec, change), (before.ToJsonString(), patch.ToJsonString()));
    }
}
