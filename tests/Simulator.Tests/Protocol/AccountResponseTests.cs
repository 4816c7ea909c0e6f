namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class AccountResponseTests
{
    /// <summary>A message is a text, whatever it begins with. Only a query's errors are a body.</summary>
    [Theory]
    [InlineData("{0} is no id", false, """{"Errors":["{0} is no id"]}""")]
    [InlineData("""{"errors":[]}""", true, """{"errors":[]}""")]
    public void Set_FailedOverDirect_HasItsMessageAsJson(string message, bool isBody, string body)
    {
        var response = new AccountResponse(ConnectionMode.Direct);
        response.Set(OperationResult.Fail(400, message) with { IsBody = isBody }, nowTicks: 0);
        Assert.Equal(body, Encoding.UTF8.GetString(response.Output.WrittenSpan));
    }
}
