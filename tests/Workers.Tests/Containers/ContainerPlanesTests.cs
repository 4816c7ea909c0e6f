namespace ScaleOut.Tests.Workers.Containers;

public sealed class ContainerPlanesTests : IDisposable
{
    private static readonly AccountConnection WithKey = new() { Endpoint = new Uri("https://localhost:1/"), Key = "a2V5" };

    private readonly Microsoft.Azure.Cosmos.CosmosClient _client = CosmosClientFactory.CreateControl(WithKey);

    public void Dispose() => _client.Dispose();

    [Fact]
    public void Create_KeyOrIdentity_ManagesOnTheDataPlaneAndSaysWhatItNeedsToCreate()
    {
        Assert.Null(Assert.IsType<DataPlane>(ContainerPlanes.Create(WithKey, _client)).RejectionToCreate);
        Assert.Contains(
            "--account-resource-id",
            ContainerPlanes.Create(WithKey with { Key = null }, _client).RejectionToCreate,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Create_ResourceId_GoesToResourceManager()
    {
        var plane = ContainerPlanes.Create(WithKey with { Key = null, ResourceId = ResourceManagerStandIn.AccountPath }, _client);
        Assert.Null(Assert.IsType<ResourceManagerPlane>(plane).RejectionToCreate);
        Assert.Throws<AccountException>(() => ContainerPlanes.Create(WithKey with { ResourceId = "books" }, _client));
    }
}
