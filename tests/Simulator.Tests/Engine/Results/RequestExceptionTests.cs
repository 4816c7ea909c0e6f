namespace ScaleOut.Tests.Simulator.Engine.Results;

public sealed class RequestExceptionTests
{
    /// <summary>A patch and a parameter of a query have a document's levels, and some of their own.</summary>
    [Theory]
    [InlineData(131, true)]
    [InlineData(1_000, false)]
    public void ReadJson_AsDeepAsADocumentInARequest_IsRead(int levels, bool isRead)
    {
        var json = Encoding.UTF8.GetBytes(new string('[', levels) + new string(']', levels));
        if (isRead)
            Assert.Equal(1, RequestException.ReadJson(json, "wrong", root => root.GetArrayLength()));
        else
            Assert.Equal("wrong", Assert.Throws<RequestException>(() => RequestException.ReadJson(json, "wrong", _ => 0)).Message);
    }
}
