using ScaleOut.Workers.Hosting;

namespace ScaleOut.Tests.Workers.Hosting;

public sealed class HostSettingsReaderTests
{
    private const string Key = "c2VjcmV0LWtleQ==";

    private static readonly Dictionary<string, string> Azure = new()
    {
        ["COSMOS_ENDPOINT"] = "https://account.documents.azure.com:443/",
        ["COSMOS_RESOURCE_ID"] =
            "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/account",
        ["RunStore__blobServiceUri"] = "https://store.blob.core.windows.net/",
        ["RunStore__queueServiceUri"] = "https://store.queue.core.windows.net/",
    };

    private static readonly Dictionary<string, string> Local = new()
    {
        ["AZURE_FUNCTIONS_ENVIRONMENT"] = "Development",
        ["COSMOS_CONNECTION_STRING"] = $"AccountEndpoint=https://localhost:8081/;AccountKey={Key};",
        ["RunStore"] = "UseDevelopmentStorage=true",
    };

    [Fact]
    public void Read_EndpointsInAzure_UsesAnIdentityAndTheDefaultLimits()
    {
        var settings = Read(Azure).Settings!;

        Assert.Equal(
            (new Uri("https://account.documents.azure.com/"), null, Azure["COSMOS_RESOURCE_ID"]),
            (settings.Account.Endpoint, settings.Account.Key, settings.Account.ResourceId));
        Assert.Equal(
            (null, "store.blob.core.windows.net", "store.queue.core.windows.net"),
            (settings.RunStore.ConnectionString, settings.RunStore.BlobEndpoint!.Host, settings.RunStore.QueueEndpoint!.Host));
        Assert.Equal((20_000, 100, false), (settings.MaxRequestUnits, settings.MaxWorkers, settings.Account.Simulated));
        Assert.Equal(TimeSpan.FromDays(30), settings.HistoryRetention);
    }

    [Fact]
    public void Read_ConnectionStringsOnADevBox_AreTaken()
    {
        (string, string)[] others = [("COSMOS_CERTIFICATE_SHA256", new string('a', 64)), ("MAX_RUS", "100000"), ("MAX_WORKERS", "8"),
            ("HISTORY_DAYS", "7")];
        var settings = Read(Local, [("COSMOS_SIMULATED", "true"), .. others]).Settings!;

        Assert.Equal((new Uri("https://localhost:8081/"), Key), (settings.Account.Endpoint, settings.Account.Key));
        Assert.Equal(TimeSpan.FromDays(7), settings.HistoryRetention);
        Assert.Equal("UseDevelopmentStorage=true", settings.RunStore.ConnectionString);
        Assert.Equal(
            (100_000, 8, true, new string('a', 64)),
            (settings.MaxRequestUnits, settings.MaxWorkers, settings.Account.Simulated, settings.Account.CertificateThumbprint));
    }

    [Fact]
    public void Read_TableAccount_IsAnEndpointInAzureAndMayHaveAKeyOnADevBox()
    {
        var azure = Read(Azure, ("TABLE_ACCOUNT", "https://acme.table.core.windows.net/")).Settings!.Account.Tables!;
        var local = Read(Local, ("TABLE_ACCOUNT", $"AccountName=acme;AccountKey={Key}")).Settings!.Account.Tables!;
        var rejected = Assert.Single(Read(Azure, ("TABLE_ACCOUNT", $"AccountName=acme;AccountKey={Key}")).Errors);
        var wrong = Assert.Single(Read(Azure, ("TABLE_ACCOUNT", Key)).Errors);

        Assert.Equal((azure.Endpoint, azure.Key, local.Key), (local.Endpoint, null, Key));
        Assert.StartsWith("TABLE_ACCOUNT: a connection string is for local use only; give", rejected, StringComparison.Ordinal);
        Assert.StartsWith("TABLE_ACCOUNT: The table account is neither", wrong, StringComparison.Ordinal);
        Assert.DoesNotContain(Key, rejected + wrong, StringComparison.Ordinal);
        Assert.Null(Read(Azure).Settings!.Account.Tables);
    }

    [Fact]
    public void Read_ConnectionStringsInAzure_AreRejectedWithoutShowingTheirKeys()
    {
        var errors = Read(Local, ("AZURE_FUNCTIONS_ENVIRONMENT", "Production")).Errors;
        Assert.Equal(["COSMOS_CONNECTION_STRING", "RunStore"], errors.Select(error => error.Split(':')[0]));
        Assert.All(errors, error => Assert.DoesNotContain(Key, error, StringComparison.Ordinal));
    }

    [Fact]
    public void Read_SeveralInvalidSettings_NamesThemAll()
    {
        var http = ("RunStore__blobServiceUri", "http://store.blob.core.windows.net");
        Assert.Equal(
            ["COSMOS_ENDPOINT", "RunStore__blobServiceUri", "RunStore__queueServiceUri", "MAX_RUS", "MAX_WORKERS"],
            Read([], ("MAX_RUS", "lots"), ("MAX_WORKERS", "0"), http).Errors.Select(error => error.Split(':')[0]));
    }

    [Theory]
    [InlineData("COSMOS_CERTIFICATE_SHA256", "abc")]
    [InlineData("COSMOS_SIMULATED", "perhaps")]
    [InlineData("COSMOS_ENDPOINT", "https://other.documents.azure.com")]
    [InlineData("COSMOS_CONNECTION_STRING", "AccountKey=" + Key)]
    [InlineData("COSMOS_CONNECTION_STRING", "=" + Key)]
    [InlineData("COSMOS_CONNECTION_STRING", "AccountEndpoint=https://localhost:8081/;AccountKey=<key>")]
    [InlineData("COSMOS_RESOURCE_ID", "databaseAccounts/" + Key)]
    [InlineData("RunStore", "AccountName=store;" + Key)]
    public void Read_InvalidSetting_NamesItWithoutShowingTheKey(string setting, string value)
    {
        var error = Assert.Single(Read(Local, (setting, value)).Errors);
        Assert.StartsWith(setting == "COSMOS_ENDPOINT" ? "COSMOS_CONNECTION_STRING: " : setting + ": ", error, StringComparison.Ordinal);
        Assert.DoesNotContain(Key, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("COSMOS_RESOURCE_ID", "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g")]
    [InlineData(
        "COSMOS_RESOURCE_ID",
        "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/other")]
    [InlineData("RunStore__accountName", "not a name")]
    public void Read_InvalidSettingInAzure_NamesIt(string setting, string value) =>
        Assert.StartsWith(setting + ": ", Assert.Single(Read(Azure, (setting, value)).Errors), StringComparison.Ordinal);

    [Fact]
    public void ToString_OfSettingsWithKeys_ShowsNone() => Assert.Equal("https://localhost:8081/", Read(Local).Settings!.ToString());

    private static HostSettingsReading Read(Dictionary<string, string> settings, params (string Name, string Value)[] changes)
    {
        var all = new Dictionary<string, string>(settings);
        foreach (var (name, value) in changes)
            all[name] = value;
        return HostSettingsReader.Read(name => all.GetValueOrDefault(name));
    }
}
