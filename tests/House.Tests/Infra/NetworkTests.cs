namespace ScaleOut.Tests.Infra;

/// <summary>The optional virtual network: a service with a private endpoint closes its public one.</summary>
public sealed class NetworkTests
{
    private const string Endpoints = "Microsoft.Network/privateEndpoints";

    [Theory]
    [InlineData("Microsoft.Storage/storageAccounts", 2)]
    [InlineData("Microsoft.DocumentDB/databaseAccounts", 1)]
    [InlineData("Microsoft.DurableTask/schedulers", 1)]
    public void Service_BehindAnEndpoint_ClosesItsPublicOne(string type, int endpoints)
    {
        Assert.Equal("Enabled", (string)Deployment.Default.Properties(type)["publicNetworkAccess"]!);
        Assert.Equal("Disabled", (string)Deployment.Network.Properties(type)["publicNetworkAccess"]!);
        Assert.Equal(endpoints, Deployment.Network.OfType(Endpoints).Count(endpoint =>
            ((string)endpoint["properties"]!["privateLinkServiceConnections"]![0]!["properties"]!["privateLinkServiceId"]!)
                .Contains($"/{type}/", StringComparison.Ordinal)));
    }

    /// <summary>Every endpoint has a zone that its name resolves in; the table of resources names the endpoints.</summary>
    [Fact]
    public void Endpoints_Services_HaveAZoneAndAreListed()
    {
        var names = Deployment.Network.OfType(Endpoints).Select(endpoint => (string)endpoint["name"]!).ToList();
        var row = MarkdownTable.Under(InfraFiles.Read("README.md"), "## Resources")
            .Single(cells => MarkdownTable.Code(cells[1]) == Endpoints);

        Assert.Equal(["pe-blob", "pe-queue", "pe-cosmos", "pe-scheduler"], names);
        Assert.Equal(names.Count, Deployment.Network.OfType("Microsoft.Network/privateDnsZones").Count());
        Assert.Equal(names.Count, Deployment.Network.OfType(Endpoints + "/privateDnsZoneGroups").Count());
        Assert.Equal(string.Join(", ", names.Select(name => $"`{name}`")), row[2]);
    }

    [Fact]
    public void Network_IsMade_OnlyWhenAskedFor()
    {
        const string Site = "Microsoft.Web/sites";

        Assert.DoesNotContain(
            Deployment.Default.All, resource => ((string)resource["type"]!).StartsWith("Microsoft.Network/", StringComparison.Ordinal));
        Assert.Null(Deployment.Default.Properties(Site)["virtualNetworkSubnetId"]);
        var app = Deployment.Network.Properties("Microsoft.Network/virtualNetworks")["subnets"]!.AsArray()
            .Single(subnet => (string)subnet!["name"]! == "app")!;
        Assert.EndsWith("/subnets/app", (string)Deployment.Network.Properties(Site)["virtualNetworkSubnetId"]!, StringComparison.Ordinal);
        Assert.Equal("Microsoft.App/environments", (string)app["properties"]!["delegations"]![0]!["properties"]!["serviceName"]!);
    }
}
