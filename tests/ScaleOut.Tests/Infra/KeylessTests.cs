namespace ScaleOut.Tests.Infra;

public sealed class KeylessTests
{
    [Theory]
    [InlineData("app/storage.bicep", "allowSharedKeyAccess: false")]
    [InlineData("app/storage.bicep", "allowBlobPublicAccess: false")]
    [InlineData("app/cosmos.bicep", "disableLocalAuth: true")]
    [InlineData("app/monitoring.bicep", "DisableLocalAuth: true")]
    public void Bicep_Service_RefusesKeys(string path, string setting) =>
        Assert.Contains(InfraFiles.Read(path).Split('\n'), line => line.Trim() == setting);

    [Fact]
    public void Bicep_NoFile_ReadsAKey() => Assert.All(InfraFiles.Bicep, file =>
    {
        Assert.DoesNotContain("listKeys(", file.Text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("AccountKey=", file.Text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("StorageAccountConnectionString", file.Text, StringComparison.OrdinalIgnoreCase);
    });
}
