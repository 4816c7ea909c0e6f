namespace ScaleOut.Tests.Infra;

/// <summary>The optional virtual network: what gets a private endpoint closes its public one.</summary>
public sealed partial class NetworkTests
{
    private static readonly string Network = InfraFiles.Read("app/network.bicep");

    [Theory]
    [InlineData("storage")]
    [InlineData("cosmos")]
    [InlineData("scheduler")]
    public void Service_BehindAnEndpoint_ClosesItsPublicOne(string service)
    {
        const string closed = "publicNetworkAccess: isolated && empty(allowedIp) ? 'Disabled' : 'Enabled'";
        var module = $@"module {service} 'app/{service}\.bicep' = \{{(\n  .*)+\n    isolated: vnetEnabled\n    allowedIp: allowedIp\n";

        Assert.Contains(closed, InfraFiles.Read($"app/{service}.bicep"), StringComparison.Ordinal);
        Assert.Matches(module, InfraFiles.Main.Text);
        Assert.Contains($"id: {service}Id", Network, StringComparison.Ordinal);
        Assert.Contains($"{service}Id: {service}.outputs.id", InfraFiles.Main.Text, StringComparison.Ordinal);
    }

    /// <summary>Every endpoint has a zone that its name resolves in; the table of resources names the endpoints.</summary>
    [Fact]
    public void Endpoints_Services_HaveAZoneAndAreListed()
    {
        var services = Service().Matches(Network).Select(match => match.Groups["name"].Value).ToList();
        var row = MarkdownTable.Under(InfraFiles.Read("README.md"), "## Resources").Single(cells => cells[1] == "`endpoints`");

        Assert.Equal(["blob", "queue", "cosmos", "scheduler"], services);
        Assert.Equal(services.Count, Regex.Count(Network, "^    zone: 'privatelink\\.", RegexOptions.Multiline));
        Assert.Equal(string.Join(", ", services.Select(name => $"`pe-{name}`")), row[3]);
    }

    [Fact]
    public void Network_IsMade_OnlyWhenAskedFor()
    {
        Assert.Contains("module network 'app/network.bicep' = if (vnetEnabled) {", InfraFiles.Main.Text, StringComparison.Ordinal);
        Assert.Contains("subnetId: vnetEnabled ? network!.outputs.appSubnetId : ''", InfraFiles.Main.Text, StringComparison.Ordinal);
        Assert.Contains("serviceName: 'Microsoft.App/environments'", Network, StringComparison.Ordinal);
    }

    [GeneratedRegex(@"^  \{\n    name: '(?<name>\w+)'\n    id: ", RegexOptions.Multiline)]
    private static partial Regex Service();
}
