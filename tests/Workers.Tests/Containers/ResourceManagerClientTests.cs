using ScaleOut.Workers.Containers;

namespace ScaleOut.Tests.Workers.Containers;

public sealed class ResourceManagerClientTests
{
    [Theory]
    [InlineData("https://a.documents.azure.com/", "https://management.azure.com/")]
    [InlineData("https://a.documents.azure.cn/", "https://management.chinacloudapi.cn/")]
    [InlineData("https://a.documents.azure.us/", "https://management.usgovcloudapi.net/")]
    public void EndpointOf_Cloud_IsItsOwn(string endpoint, string expected) =>
        Assert.Equal(new Uri(expected), ResourceManagerClient.EndpointOf(new Uri(endpoint)));
}
