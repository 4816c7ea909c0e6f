namespace ScaleOut.Tests.Infra;

public sealed class KeylessTests
{
    [Theory]
    [InlineData("Microsoft.Storage/storageAccounts", "allowSharedKeyAccess", false)]
    [InlineData("Microsoft.Storage/storageAccounts", "allowBlobPublicAccess", false)]
    [InlineData("Microsoft.DocumentDB/databaseAccounts", "disableLocalAuth", true)]
    [InlineData("Microsoft.Insights/components", "DisableLocalAuth", true)]
    public void Template_EachService_AcceptsNoKeys(string type, string property, bool value) => Assert.All(
        [Deployment.Default, Deployment.Network], deployed => Assert.Equal(value, (bool)deployed.Properties(type)[property]!));

    [Fact]
    public void Template_Publishing_TakesNoPassword()
    {
        var policies = Deployment.Default.OfType("Microsoft.Web/sites/basicPublishingCredentialsPolicies").ToList();
        Assert.Equal(["ftp", "scm"], policies.Select(policy => ((string)policy["name"]!).Split('/')[1]));
        Assert.All(policies, policy => Assert.False((bool)policy["properties"]!["allow"]!));
    }

    [Theory]
    [InlineData("listKeys(")]
    [InlineData("AccountKey=")]
    [InlineData("StorageAccountConnectionString")]
    public void Template_AnyResource_ReadsNoKey(string text) =>
        Assert.DoesNotContain(text, Deployment.Main.ToJsonString(), StringComparison.OrdinalIgnoreCase);
}
