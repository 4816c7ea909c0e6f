namespace ScaleOut.Tests.Simulator.Engine.Queries;

public sealed class QueryFilterTests
{
    [Theory]
    [InlineData("""{"name":"Zoë"}""", true)]
    [InlineData("""{"name":"Zo\u00eb"}""", true)]
    [InlineData("""{"other":"Zo\u00ebs","name":"Zoë"}""", true)]
    [InlineData("""{"other":"Zoë","name":"Zoe"}""", false)]
    [InlineData("""{"name":"Zoës"}""", false)]
    [InlineData("""{"name":"Zo\\u00eb"}""", false)]
    [InlineData("""{"name":["Zoë"]}""", false)]
    [InlineData("""{"name":null}""", false)]
    [InlineData("""{}""", false)]
    public void Matches_Text_AsItIsOrEscaped(string body, bool matches)
    {
        var filter = Filter(BinaryOperator.Equal, "Zoë");

        Assert.Equal(matches, filter.Matches(Encoding.UTF8.GetBytes(body)));
    }

    [Fact]
    public void Matches_EmptyText_IsFoundToo()
    {
        var filter = Filter(BinaryOperator.Equal, "");

        Assert.True(filter.Matches("""{"name":""}"""u8));
        Assert.False(filter.Matches("""{"name":"x"}"""u8));
    }

    [Theory]
    [InlineData("""{"name":"Ada"}""", true)]
    [InlineData("""{"name":"Zoë"}""", false)]
    public void Matches_OtherComparison_NeedsNoTextOfItsOwn(string body, bool matches) =>
        Assert.Equal(matches, Filter(BinaryOperator.NotEqual, "Zoë").Matches(Encoding.UTF8.GetBytes(body)));

    private static QueryFilter Filter(BinaryOperator comparison, string text) =>
        new(["name"], comparison, new QueryValue(PartitionKeyKind.Text, 0, Encoding.UTF8.GetBytes(text)));
}
