namespace ScaleOut.Tests.Infra;

public sealed class KeylessTests
{
    [Theory]
    [InlineData("app/storage.bicep", "allowSharedKeyAccess: false", 1)]
    [InlineData("app/storage.bicep", "allowBlobPublicAccess: false", 1)]
    [InlineData("app/cosmos.bicep", "disableLocalAuth: true", 1)]
    [InlineData("app/monitoring.bicep", "DisableLocalAuth: true", 1)]
    [InlineData("app/function.bicep", "properties: { allow: false }", 2)]
    public void Bicep_Service_AcceptsNoKeysAndPasswords(string path, string setting, int times) =>
        Assert.Equal(times, InfraFiles.Read(path).Split('\n').Count(line => line.Trim() == setting));

    [Fact]
    public void Bicep_NoFile_ReadsAKey() => Assert.All(InfraFiles.Bicep, file =>
    {
        Assert.DoesNotContain("listKeys(", file.Text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("AccountKey=", file.Text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("StorageAccountConnectionString", file.Text, StringComparison.OrdinalIgnoreCase);
    });
}
