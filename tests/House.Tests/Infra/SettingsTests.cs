using ScaleOut.Tests.Contracts;
using ScaleOut.Workers.Hosting;

namespace ScaleOut.Tests.Infra;

public sealed class SettingsTests
{
    // Read by the Functions host, its extensions and libraries, not by the project's own code.
    private static readonly string[] ReadByOthers =
    [
        "APPLICATIONINSIGHTS_AUTHENTICATION_STRING", "APPLICATIONINSIGHTS_CONNECTION_STRING", "AZURE_CLIENT_ID",
        "AZURE_TOKEN_CREDENTIALS", "AzureWebJobsStorage__accountName", "AzureWebJobsStorage__clientId", "AzureWebJobsStorage__credential",
        "RunStore__clientId", "RunStore__credential",
    ];

    private static readonly Dictionary<string, string> InAzure = Settings();

    [Fact]
    public void Read_SettingsOfTheDeployment_AreComplete()
    {
        var reading = HostSettingsReader.Read(InAzure.GetValueOrDefault);

        Assert.Empty(reading.Errors);
        Assert.Equal(20_000, reading.Settings!.MaxRequestUnits);
        Assert.Equal(100, reading.Settings.MaxWorkers);
        Assert.Equal(100, reading.Settings.WorkerCapacity);
        Assert.NotNull(reading.Settings.Account.ResourceId);
        Assert.Null(reading.Settings.Account.Key);
    }

    /// <summary>An instance of 4,096 MB costs twice as much as one of 2,048, and those that are kept warm are billed, too.</summary>
    [Fact]
    public void Read_SettingsOfLargerInstances_ArePricedAsTheyAre()
    {
        var settings = new Dictionary<string, string>(InAzure);
        foreach (var name in new[] { "INSTANCE_MEMORY_MB", "ALWAYS_READY_INSTANCE_COUNT" })
            settings[name] = Deployment.Network.AppSettings[name];

        var (usual, larger) = (PricesOf(InAzure), PricesOf(settings));

        Assert.Equal((2, 0), (usual.InstanceGigabytes, usual.AlwaysReadyInstances));
        Assert.Equal((4, 2), (larger.InstanceGigabytes, larger.AlwaysReadyInstances));
        var spec = new RunSpec { Workers = 4 };
        Assert.Equal(2 * AmountOf(usual), AmountOf(larger), precision: 4);

        double AmountOf(PriceList prices) =>
            RunCost.From(prices with { AlwaysReadyWorkGigabyteSecond = null }, [(spec, 600)])
                .Items.Single(item => item.Name == "Instances").Amount!.Value;

        static PriceList PricesOf(Dictionary<string, string> settings) =>
            HostSettingsReader.Read(settings.GetValueOrDefault, InfraFiles.Read("prices.json")).Settings!.Prices!;
    }

    [Fact]
    public void Deployment_EverySetting_IsReadBySomebody()
    {
        var read = new HashSet<string>(ReadByOthers);
        HostSettingsReader.Read(name =>
        {
            read.Add(name);
            return InAzure.GetValueOrDefault(name);
        });
        read.UnionWith(HostJsonSettings());

        Assert.Subset(read, InAzure.Keys.ToHashSet());
        Assert.Subset(InAzure.Keys.ToHashSet(), ReadByOthers.Concat(HostJsonSettings()).ToHashSet());
    }

    /// <summary>Each setting with what its reader says of a value that is none, or <c>text</c> if it takes any.</summary>
    [Fact]
    public void Read_NamesAndValues_AreThoseOfTheContract()
    {
        Dictionary<string, string>[] ways =
        [
            InAzure,
            new()
            {
                ["AZURE_FUNCTIONS_ENVIRONMENT"] = "Development", ["RunStore"] = "UseDevelopmentStorage=true",
                ["COSMOS_CONNECTION_STRING"] = "AccountEndpoint=https://localhost:8081;AccountKey=c2VjcmV0",
            },
        ];
        var read = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var way in ways)
        {
            HostSettingsReader.Read(name =>
            {
                read.Add(name);
                return way.GetValueOrDefault(name);
            });
        }

        Contract.AssertIs(
            "settings.txt",
            [
                "# read by the app", .. read.Select(name => $"{name}: {Takes(name)}"),
                "", "# read by the host and by libraries",
                .. ReadByOthers.Concat(HostJsonSettings()).Except(read).Order(StringComparer.Ordinal),
            ],
            nameof(SettingsTests));

        string Takes(string setting)
        {
            var way = ways.LastOrDefault(settings => settings.ContainsKey(setting)) ?? ways[0];
            var errors = HostSettingsReader.Read(name => name == setting ? "?" : way.GetValueOrDefault(name)).Errors;
            return errors.FirstOrDefault(error => error.StartsWith($"{setting}: ", StringComparison.Ordinal))?[(setting.Length + 2)..]
                ?? "text";
        }
    }

    [Fact]
    public void Readme_Settings_AreThoseOfTheDeployment()
    {
        var rows = MarkdownTable.Under(InfraFiles.Read("README.md"), "## Settings");
        Assert.Equal(InAzure.Keys, rows.Select(cells => MarkdownTable.Code(cells[0])));
        Assert.All(rows, cells => Assert.All(cells, Assert.NotEmpty));
    }

    /// <summary>The sample holds the settings of a dev box, once the account's key is written into it.</summary>
    [Theory]
    [InlineData("local.settings.sample.json")]
    [InlineData("local.settings.scheduler.sample.json")]
    public void Sample_Settings_AreReadBySomebody(string file)
    {
        var sample = JsonNode.Parse(InfraFiles.ReadTop(file))!["Values"]!.AsObject().ToDictionary(
            value => value.Key, value => value.Value!.GetValue<string>().Replace("<key>", "c2VjcmV0", StringComparison.Ordinal));
        var read = new HashSet<string>(HostJsonSettings()) { "FUNCTIONS_WORKER_RUNTIME", "AzureWebJobsStorage" };
        var reading = HostSettingsReader.Read(name =>
        {
            read.Add(name);
            return name == "AZURE_FUNCTIONS_ENVIRONMENT" ? "Development" : sample.GetValueOrDefault(name);
        });

        Assert.Empty(reading.Errors);
        Assert.Subset(read, sample.Keys.Where(name => !name.StartsWith("AzureFunctionsJobHost__", StringComparison.Ordinal)).ToHashSet());
    }

    [Fact]
    public void Deployment_LimitsOfMaxRusAndMaxWorkers_AreThoseOfTheApp()
    {
        Assert.Equal((400, 10_000_000), LimitsOf("maximumRequestUnits"));
        // Less than the app takes: ten instances more than workers are deployed, and no app has more than 1,000.
        var (least, most) = LimitsOf("maximumWorkers");
        Assert.Equal(1, least);
        Assert.Equal((int)Deployment.Main["parameters"]!["maximumInstanceCount"]!["maxValue"]!, most + 10);
        (string Name, string Value)[] beyond = [("MAX_RUS", "399"), ("MAX_RUS", "10000001"), ("MAX_WORKERS", "0"), ("MAX_WORKERS", "1001")];
        Assert.All(beyond, wrong => Assert.Single(
            HostSettingsReader.Read(name => name == wrong.Name ? wrong.Value : InAzure.GetValueOrDefault(name)).Errors));

        (int Least, int Most) LimitsOf(string name)
        {
            var parameter = Deployment.Main["parameters"]![name]!;
            return ((int)parameter["minValue"]!, (int)parameter["maxValue"]!);
        }
    }

    /// <summary>The settings of the Function App. Values that only Azure knows are replaced by examples.</summary>
    private static Dictionary<string, string> Settings()
    {
        var settings = Deployment.Default.AppSettings;
        var account = Regex.Match(settings["COSMOS_RESOURCE_ID"], "[^/]+$").Value;
        var values = new Dictionary<string, string>
        {
            [".primaryEndpoints.blob]"] = "https://load.blob.core.windows.net/",
            [".primaryEndpoints.queue]"] = "https://load.queue.core.windows.net/",
            [".documentEndpoint]"] = $"https://{account}.documents.azure.com:443/",
            [".clientId]"] = "00000000-0000-0000-0000-000000000003",
        };
        return settings.ToDictionary(
            setting => setting.Key,
            setting => values.FirstOrDefault(known => setting.Value.EndsWith(known.Key, StringComparison.Ordinal)).Value ?? setting.Value);
    }

    private static IEnumerable<string> HostJsonSettings()
    {
        var durable = JsonNode.Parse(InfraFiles.ReadTop("host.json"))!["extensions"]!["durableTask"]!;
        return [durable["hubName"]!.GetValue<string>().Trim('%'), durable["storageProvider"]!["connectionStringName"]!.GetValue<string>()];
    }
}
