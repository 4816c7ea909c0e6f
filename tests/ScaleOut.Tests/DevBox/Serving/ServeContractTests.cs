namespace ScaleOut.Tests.DevBox.Serving;

/// <summary>The contract over real HTTP, with real runs: small ones, of which most are stopped before they cost anything.</summary>
public sealed class ServeContractTests(ContractServer server) : RunContract, IClassFixture<ContractServer>
{
    protected override HttpClient Client => server.Client;

    /// <summary>Of another server only what is an error for every account is known.</summary>
    protected override RunTarget Target => server.IsOwn ? RunTarget.SimulatedAccount : RunTarget.Undecided;
}
