using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Queries;

namespace ScaleOut.Tests.Simulator.Engine.Queries;

public sealed class QueryParserTests
{
    [Theory]
    [InlineData("SELECT * FROM c", "{}", true)]
    [InlineData("SELECT * FROM c WHERE c.a = 1", """{"a":1.0}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = 1", """{"a":"1"}""", false)]
    [InlineData("SELECT * FROM c WHERE c.a = 1", """{"b":{"a":1}}""", false)]
    [InlineData("SELECT * FROM c WHERE c.a.b = 'x'", """{"z":[{"a":1}],"a":{"q":{},"b":"x"}}""", true)]
    [InlineData("SELECT * FROM c AS d WHERE d[\"a b\"] = \"x\"", """{"a b":"\u0078"}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = null", """{"a":null}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = null", "{}", false)]
    [InlineData("SELECT * FROM c WHERE c.a = true AND c.b != 2", """{"a":true,"b":3}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = false", """{"a":true}""", false)]
    [InlineData("SELECT * FROM c WHERE c.a > -1.5e1 AND c.a <= 2", """{"a":2}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a < 'b'", """{"a":"a"}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = @p", """{"a":"it's"}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = 'it\\'s'", """{"a":"it's"}""", true)]
    [InlineData("SELECT * FROM c WHERE c.a = {}", "{}", null)]
    [InlineData("SELECT * FROM c WHERE c.a = 1 OR c.b = 2", "{}", null)]
    [InlineData("SELECT * FROM c WHERE c._ts > 5", "{}", null)]
    [InlineData("SELECT * FROM c WHERE c = 1", "{}", null)]
    [InlineData("SELECT TOP 5 * FROM c", "{}", null)]
    [InlineData("SELECT VALUE SUM(c.a) FROM c", "{}", null)]
    [InlineData("DELETE FROM c", "{}", null)]
    [InlineData("SELECT * FROM c WHERE c.a = 1..2", "{}", null)]
    [InlineData("SELECT * FROM c;", "{}", null)]
    [InlineData("", "{}", null)]
    public void Parse_Query_MatchesOrIsRejected(string text, string document, bool? expected)
    {
        var parameters = new Dictionary<string, QueryValue> { ["@p"] = QueryValue.From("it's") };
        if (expected is { } matches)
            Assert.Equal(matches, QueryParser.Parse(text, parameters).Matches(System.Text.Encoding.UTF8.GetBytes(document)));
        else
            Assert.Equal(400, Assert.Throws<RequestException>(() => QueryParser.Parse(text, parameters)).Status);
    }

    [Theory]
    [InlineData("SELECT VALUE COUNT(1) FROM c", 1)]
    [InlineData("select value count(1) from c where c.a = 1", 1)]
    [InlineData("SELECT VALUE [{\"item\": COUNT(1)}] FROM c", 2)]
    public void Parse_Count_IsKnown(string text, int projection) =>
        Assert.Equal((QueryProjection)projection, QueryParser.Parse(text, []).Projection);

    [Theory]
    [InlineData("+RID:~3#17", true)]
    [InlineData("+RID:~3#", false)]
    [InlineData("+RID:~-3#1", false)]
    [InlineData("3#17", false)]
    [InlineData("", false)]
    public void TryParse_Continuation_TakesOnlyItsOwn(string text, bool expected)
    {
        Assert.Equal(expected, QueryContinuation.TryParse(text, out QueryContinuation continuation));
        if (expected)
            Assert.Equal(text, continuation.ToString());
    }
}
