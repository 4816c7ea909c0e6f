namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>The contract of experiments on a server whose hosts run nothing.</summary>
public sealed class ExperimentContractTests(ScriptedServer server) : ExperimentContract, IClassFixture<ScriptedServer>
{
    protected override HttpClient Client => server.Client;
}
