namespace ScaleOut.Tests.Simulator.Engine.Storage;

public sealed class UniqueKeyIndexTests
{
    [Theory]
    [InlineData("9007199254740993", "9007199254740992", false)]
    [InlineData("9007199254740993", "9007199254740993", true)]
    [InlineData("""{"a":1,"b":[2]}""", """{"b":[2],"a":1}""", true)]
    [InlineData("""{"a":1,"b":[2]}""", """{"a":1,"b":[3]}""", false)]
    [InlineData("1", "1.0", true)]
    [InlineData("0", "-0", true)]
    [InlineData("0", "null", false)]
    [InlineData("1", "\"1\"", false)]
    [InlineData("\"\\u0061\"", "\"a\"", true)]
    [InlineData("null", null, true)]
    [InlineData("false", "null", false)]
    public void Conflicts_ValuesOfTwoDocuments_AreComparedAsJson(string kept, string? written, bool conflicts)
    {
        var index = new UniqueKeyIndex([[JsonPath.Parse("/other")!], [JsonPath.Parse("/a")!, JsonPath.Parse("/b")!]]);
        index.Added(new DocumentKey(1, 1), Body(1, kept));

        Assert.Equal(conflicts, index.Conflicts(new DocumentKey(1, 2), Body(2, written)));
        Assert.False(index.Conflicts(new DocumentKey(2, 2), Body(2, written)));
    }

    private static byte[] Body(int other, string? value) => Encoding.UTF8.GetBytes(
        value is null ? $$"""{"other":{{other}},"a":"a"}""" : $$"""{"other":{{other}},"a":"a","b":{{value}}}""");
}
