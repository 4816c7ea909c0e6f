namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>The contract of experiments over real HTTP, with real runs.</summary>
public sealed class ServeExperimentTests(ContractServer server) : ExperimentContract, IClassFixture<ContractServer>
{
    protected override HttpClient Client => server.Client;

    [Fact]
    public async Task PostExperiments_SearchForALimitWithoutAnId_IsGivenOne()
    {
        using var response = await PostAsync(
            "api/experiments", """{"base":{"workers":1,"container":{"throughput":1000}},"limit":{"from":20,"until":"p99<20ms"}}""");
        Assert.Equal(HttpStatusCode.Accepted, response.StatusCode);
        await DropExperimentAsync((string)(await JsonAsync(response))["id"]!);
    }
}
