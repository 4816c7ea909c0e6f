namespace ScaleOut.Tests.DevBox.Serving;

public class OriginRuleTests
{
    private const int Port = 5080;

    [Theory]
    [InlineData("localhost:5080")]
    [InlineData("LOCALHOST:5080")]
    [InlineData("127.0.0.1:5080")]
    [InlineData("[::1]:5080")]
    public void Rejection_OwnName_IsNull(string host)
    {
        Assert.Null(OriginRule.Rejection(Request("GET", host), Port));
        Assert.Null(OriginRule.Rejection(Request("POST", host), Port));
        Assert.Null(OriginRule.Rejection(Request("POST", host, ("Origin", $"http://{host}"), ("Sec-Fetch-Site", "same-origin")), Port));
        Assert.Null(OriginRule.Rejection(Request("POST", host, ("Sec-Fetch-Site", "none")), Port));
    }

    [Theory]
    [InlineData("rebound.example")]
    [InlineData("rebound.example:5080")]
    [InlineData("localhost")]
    [InlineData("localhost:5081")]
    [InlineData("localhost.rebound.example:5080")]
    [InlineData("127.0.0.2:5080")]
    [InlineData("")]
    public void Rejection_OtherName_AppliesToEveryMethod(string host)
    {
        Assert.NotNull(OriginRule.Rejection(Request("GET", host), Port));
        Assert.NotNull(OriginRule.Rejection(Request("POST", host, ("Origin", $"http://{host}")), Port));
    }

    [Theory]
    [InlineData("Origin", "http://evil.example")]
    [InlineData("Origin", "null")]
    [InlineData("Origin", "")]
    [InlineData("Origin", "https://localhost:5080")]
    [InlineData("Origin", "http://localhost:5081")]
    [InlineData("Origin", "http://127.0.0.1:5080")]
    [InlineData("Sec-Fetch-Site", "cross-site")]
    [InlineData("Sec-Fetch-Site", "same-site")]
    public void Rejection_OtherOrigin_AppliesToMethodsThatChangeAnything(string header, string value)
    {
        Assert.Null(OriginRule.Rejection(Request("GET", "localhost:5080", (header, value)), Port));
        Assert.NotNull(OriginRule.Rejection(Request("POST", "localhost:5080", (header, value)), Port));
        Assert.NotNull(OriginRule.Rejection(Request("DELETE", "localhost:5080", (header, value)), Port));
    }

    private static HttpRequest Request(string method, string host, params (string Name, string Value)[] headers)
    {
        var request = new DefaultHttpContext().Request;
        request.Method = method;
        request.Headers.Host = host;
        foreach (var (name, value) in headers)
            request.Headers[name] = value;
        return request;
    }
}
