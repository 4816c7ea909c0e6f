using Microsoft.Extensions.Configuration;

namespace ScaleOut.Orchestrator.Tests;

public sealed class DurableBackendTests : IDisposable
{
    private const string Setting = "AzureFunctionsJobHost__extensions__durableTask__storageProvider__type";

    private readonly string _folder = Directory.CreateTempSubdirectory().FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("azureManaged", null, "DurableTask", true)]
    [InlineData("AzureManaged", null, "DurableTask", true)]
    [InlineData("azureManaged", "AzureStorage", "DurableTask", false)]
    [InlineData("AzureStorage", "azureManaged", "DurableTask", true)]
    [InlineData("AzureStorage", null, "DurableTask", false)]
    [InlineData(null, null, "DurableTask", false)]
    [InlineData("azureManaged", null, "DurableTask AzureManaged", false)]
    [InlineData("azureManaged", null, null, false)]
    public void Errors_BackendOfTheSettings_MustBeInTheBuild(string? ofHostFile, string? ofSettings, string? extensions, bool isMissing)
    {
        if (ofHostFile is not null)
            File.WriteAllText(
                Path.Combine(_folder, "host.json"),
                new JsonObject
                {
                    ["extensions"] = new JsonObject
                    {
                        ["durableTask"] = new JsonObject { ["storageProvider"] = new JsonObject { ["type"] = ofHostFile } },
                    },
                }.ToJsonString());
        if (extensions is not null)
            File.WriteAllText(Path.Combine(_folder, "extensions.json"), extensions);
        var settings = new ConfigurationManager { [Setting.Replace("__", ":", StringComparison.Ordinal)] = ofSettings };

        var errors = DurableBackend.Errors(settings, _folder).ToList();

        Assert.Equal(isMissing ? 1 : 0, errors.Count);
        Assert.All(errors, error => Assert.StartsWith($"{Setting}: ", error, StringComparison.Ordinal));
    }
}
