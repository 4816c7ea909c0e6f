namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>The contract of runs on a server whose hosts run nothing.</summary>
public sealed class RunContractTests(ScriptedServer server) : RunContract, IClassFixture<ScriptedServer>
{
    protected override HttpClient Client => server.Client;

    [Theory]
    [MemberData(nameof(InvalidSpecs.All), MemberType = typeof(InvalidSpecs))]
    public Task PostRuns_AnyInvalidSpec_NamesEveryErrorByField(string plan) => AssertEveryErrorIsNamedAsync(plan);
}
