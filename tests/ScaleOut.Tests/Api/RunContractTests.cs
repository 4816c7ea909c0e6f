namespace ScaleOut.Tests.Api;

/// <summary>The contract of runs on a server whose hosts execute nothing.</summary>
public sealed class RunContractTests(ScriptedServer server) : RunContract, IClassFixture<ScriptedServer>
{
    protected override HttpClient Client => server.Client;

    [Theory]
    [MemberData(nameof(FaultyPlans.All), MemberType = typeof(FaultyPlans))]
    public Task PostRuns_AnyFaultySpec_NamesEveryFaultByField(string plan) => AssertEveryFaultIsNamedAsync(plan);
}
