namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary>The contract over real HTTP with small real runs. Most are stopped before they cost anything.</summary>
public sealed class ServeContractTests(ContractServer server) : RunContract, IClassFixture<ContractServer>
{
    protected override HttpClient Client => server.Client;

    /// <summary>For another server, only errors for every account are known.</summary>
    protected override RunTarget Target => server.IsOwn ? RunTarget.OtherAccount : RunTarget.Undecided;
}
