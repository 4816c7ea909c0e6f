using ScaleOut.Tests.Api;

namespace ScaleOut.Tests.DevBox.Serving;

/// <summary>The contract of experiments over real HTTP, with real runs.</summary>
public sealed class ServeExperimentTests(ContractServer server) : ExperimentContract, IClassFixture<ContractServer>
{
    protected override HttpClient Client => server.Client;
}
