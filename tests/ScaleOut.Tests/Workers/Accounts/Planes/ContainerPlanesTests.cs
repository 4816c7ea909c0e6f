namespace ScaleOut.Tests.Workers.Accounts.Planes;

public sealed class ContainerPlanesTests
{
    private static readonly AccountConnection WithKey = new() { Endpoint = new Uri("https://localhost:1/"), Key = "a2V5" };

    [Fact]
    public void Create_Key_CanCreateOnTheDataPlane()
    {
        using var client = CosmosClientFactory.CreateControl(WithKey);
        using var plane = ContainerPlanes.Create(WithKey, client);

        Assert.IsType<DataPlane>(plane);
        Assert.Null(plane.RejectionToCreate);
    }

    [Fact]
    public void Create_IdentityAlone_SaysWhatItNeedsToCreate()
    {
        using var client = CosmosClientFactory.CreateControl(WithKey);
        using var plane = ContainerPlanes.Create(WithKey with { Key = null }, client);

        Assert.Contains("--account-resource-id", plane.RejectionToCreate, StringComparison.Ordinal);
    }

    [Fact]
    public void Create_ResourceId_GoesToResourceManager()
    {
        using var client = CosmosClientFactory.CreateControl(WithKey);
        using var plane = ContainerPlanes.Create(WithKey with { Key = null, ResourceId = ResourceManagerStandIn.AccountPath }, client);

        Assert.IsType<ResourceManagerPlane>(plane);
        Assert.Null(plane.RejectionToCreate);
    }

    [Fact]
    public void Create_MalformedResourceId_Throws()
    {
        using var client = CosmosClientFactory.CreateControl(WithKey);

        Assert.Throws<AccountException>(() => ContainerPlanes.Create(WithKey with { ResourceId = "books" }, client));
    }
}
