using ScaleOut.Costs;

namespace ScaleOut.Workers.Hosting;

/// <summary>The Function App's settings. They contain secrets if the app runs locally, and are never printed, logged or kept.</summary>
public sealed record HostSettings
{
    /// <summary>Blob container of the run store.</summary>
    public const string RunsContainer = "runs";

    /// <summary>The setting that queue triggers name, and the prefix of the run store's endpoints.</summary>
    public const string RunStoreSetting = "RunStore";

    public const string MaxRequestUnitsSetting = "MAX_RUS";

    public const string MaxWorkersSetting = "MAX_WORKERS";

    public const string WorkerCapacitySetting = "WORKER_CAPACITY";

    /// <summary>Memory of a deployed instance in MB. An instance is billed by its memory.</summary>
    public const string InstanceMemorySetting = "INSTANCE_MEMORY_MB";

    /// <summary>How many instances are always ready. They are billed, too.</summary>
    public const string AlwaysReadySetting = "ALWAYS_READY_INSTANCE_COUNT";

    /// <summary>Gigabytes of telemetry that the deployment keeps of a day.</summary>
    public const string TelemetryQuotaSetting = "TELEMETRY_DAILY_QUOTA_GB";

    /// <summary>Days after which the engine's history of an orchestration that has ended is purged.</summary>
    public const string HistoryDaysSetting = "HISTORY_DAYS";

    public const int DefaultMaxRequestUnits = 20_000;

    public const int DefaultMaxWorkers = 100;

    public const int DefaultHistoryDays = 30;

    /// <summary>Name of the price file in the app's folder.</summary>
    public const string PricesFile = "prices.json";

    /// <summary>The account that all runs go to.</summary>
    public required AccountConnection Account { get; init; }

    /// <summary>The storage account of run store and progress queue.</summary>
    public required StorageConnection RunStore { get; init; }

    /// <summary>Maximum RU/s of a run's own container, 400 to 10,000,000. Default 20,000.</summary>
    public int MaxRequestUnits { get; init; } = DefaultMaxRequestUnits;

    /// <summary>Maximum number of workers of a run, 1 to 1,000. Default 100.</summary>
    public int MaxWorkers { get; init; } = DefaultMaxWorkers;

    /// <summary>Workers of all runs that can be at work at once, 1 to 1,000; further runs wait. Default <see cref="MaxWorkers"/>.</summary>
    public int WorkerCapacity { get; init; } = DefaultMaxWorkers;

    /// <summary>Gigabytes of telemetry that are kept of a day, 1 to 100; null if the setting is left out.</summary>
    public int? TelemetryGigabytesPerDay { get; init; }

    /// <summary>
    /// How long the engine keeps the history of an orchestration, from its start, 1 to 365 days. Default 30. That of one under way is kept.
    /// </summary>
    public TimeSpan HistoryRetention { get; init; } = TimeSpan.FromDays(DefaultHistoryDays);

    /// <summary>For the cost in estimates and reports; null if there is no <see cref="PricesFile"/>.</summary>
    public PriceList? Prices { get; init; }

    /// <summary>The account's endpoint alone.</summary>
    public override string ToString() => Account.ToString();
}

/// <summary>
/// Reads the Function App's settings and names all errors at once. In Azure services are reached by endpoint and identity. Connection
/// strings are accepted only if the app runs locally.
/// </summary>
public static class HostSettingsReader
{
    private const string Endpoint = "COSMOS_ENDPOINT";
    private const string CosmosConnectionString = "COSMOS_CONNECTION_STRING";
    private const string Certificate = "COSMOS_CERTIFICATE_SHA256";
    private const string Simulated = "COSMOS_SIMULATED";
    private const string Tables = TableAccount.Setting;

    private const int MinInstanceMemory = 512;
    private const int MaxInstanceMemory = 4_096;
    private const int MaxTelemetryGigabytes = 100;
    private const int MaxHistoryDays = 365;
    private const double MegabytesPerGigabyte = 1_024;

    /// <summary>Set by the Functions tools on a dev box, and not in Azure.</summary>
    private const string Environment = "AZURE_FUNCTIONS_ENVIRONMENT";

    /// <param name="get">A setting's value by its name, with <c>__</c> between its parts; null or empty if it is not set.</param>
    /// <param name="prices">Text of the price file; null if there is none.</param>
    public static HostSettingsReading Read(Func<string, string?> get, string? prices = null)
    {
        var reader = new Reader(name => get(name) is { Length: > 0 } value ? value.Trim() : null);
        var (account, store) = (reader.Account(), reader.RunStore());
        var units = reader.Number(HostSettings.MaxRequestUnitsSetting, HostSettings.DefaultMaxRequestUnits,
            ContainerSpec.MinThroughput, ContainerSpec.MaxThroughput);
        var workers = reader.Number(HostSettings.MaxWorkersSetting, HostSettings.DefaultMaxWorkers, 1, RunSpec.MaxWorkers);
        var capacity = reader.Number(HostSettings.WorkerCapacitySetting, workers, 1, RunSpec.MaxWorkers);
        var list = reader.Prices(prices);
        var memory = reader.Number(HostSettings.InstanceMemorySetting, 0, MinInstanceMemory, MaxInstanceMemory);
        var alwaysReady = reader.Number(HostSettings.AlwaysReadySetting, 0, 0, RunSpec.MaxWorkers);
        var telemetry = reader.Number(HostSettings.TelemetryQuotaSetting, 0, 1, MaxTelemetryGigabytes);
        var history = reader.Number(HostSettings.HistoryDaysSetting, HostSettings.DefaultHistoryDays, 1, MaxHistoryDays);
        if (reader.Errors.Count > 0)
            return new HostSettingsReading(null, reader.Errors);
        return new HostSettingsReading(
            new HostSettings
            {
                Account = account!,
                RunStore = store!,
                MaxRequestUnits = units,
                MaxWorkers = workers,
                WorkerCapacity = capacity,
                TelemetryGigabytesPerDay = telemetry > 0 ? telemetry : null,
                HistoryRetention = TimeSpan.FromDays(history),
                Prices = list is null ? null : list with
                {
                    InstanceGigabytes = memory > 0 ? memory / MegabytesPerGigabyte : list.InstanceGigabytes,
                    AlwaysReadyInstances = alwaysReady,
                },
            },
            []);
    }

    private sealed class Reader(Func<string, string?> get)
    {
        private readonly bool _local = get(Environment) == "Development";

        public List<string> Errors { get; } = [];

        public AccountConnection? Account()
        {
            var (endpoint, text) = (get(Endpoint), get(CosmosConnectionString));
            if (endpoint is null == text is null)
            {
                Errors.Add(text is null
                    ? $"{Endpoint}: is missing; it is the endpoint of the Cosmos DB account, such as https://my-account.documents.azure.com"
                    : $"{CosmosConnectionString}: stands beside {Endpoint}; one of them says which account it is");
                return null;
            }

            var known = Errors.Count;
            if (text is not null)
                RejectInAzure(
                    CosmosConnectionString,
                    $"set {Endpoint} and {AccountConnection.ResourceIdSetting}, and give the app's identity its roles");
            var (uri, key) = text is null ? (UriIn(Endpoint, endpoint!), null) : ConnectionStringIn(text);
            var (certificate, simulated, tables, resource) = (CertificateIn(), SimulatedIn(), TablesIn(), ResourceIdIn(uri));
            return Errors.Count > known
                ? null
                : new AccountConnection
                {
                    Endpoint = uri!, Key = key, ResourceId = resource,
                    CertificateThumbprint = certificate, Simulated = simulated, Tables = tables,
                };
        }

        public StorageConnection? RunStore()
        {
            const string name = HostSettings.RunStoreSetting;
            if (get(name) is { } text)
            {
                RejectInAzure(name, $"set {name}__blobServiceUri and {name}__queueServiceUri");
                return Parse(name, () => StorageClients.Check(new StorageConnection { ConnectionString = text }));
            }

            if (get($"{name}__accountName") is { } account)
                return Parse($"{name}__accountName", () => StorageConnection.ToAccount(account));
            return new StorageConnection
            {
                BlobEndpoint = Required($"{name}__blobServiceUri"),
                QueueEndpoint = Required($"{name}__queueServiceUri"),
            };

            Uri? Required(string setting)
            {
                if (get(setting) is { } value)
                    return UriIn(setting, value);
                Errors.Add($"{setting}: is missing");
                return null;
            }
        }

        public int Number(string setting, int fallback, int minimum, int maximum)
        {
            if (get(setting) is not { } text)
                return fallback;
            if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) && value >= minimum && value <= maximum)
                return value;
            Errors.Add($"{setting}: must be a whole number from {minimum} to {maximum}");
            return fallback;
        }

        public PriceList? Prices(string? text)
        {
            if (text is null)
                return null;
            var reading = PriceList.Read(text);
            Errors.AddRange(reading.Errors.Select(error => $"{HostSettings.PricesFile}: {error}"));
            return reading.Value;
        }

        private Uri? UriIn(string setting, string text)
        {
            if (AzureEndpoints.Parse(text) is { } uri && (_local || uri.Scheme == Uri.UriSchemeHttps))
                return uri;
            Errors.Add($"{setting}: must be an https address without a key or parameters");
            return null;
        }

        private (Uri? Endpoint, string? Key) ConnectionStringIn(string text)
        {
            var parts = new DbConnectionStringBuilder();
            try
            {
                parts.ConnectionString = text;
            }
            catch (ArgumentException)
            {
                // The library's message may repeat a part of the text, and with it the key.
                Errors.Add($"{CosmosConnectionString}: is not a connection string");
                return default;
            }

            if (!parts.TryGetValue("AccountKey", out var key) || !parts.TryGetValue("AccountEndpoint", out var endpoint))
            {
                Errors.Add($"{CosmosConnectionString}: must have AccountEndpoint and AccountKey");
                return default;
            }

            if (!CosmosClientFactory.IsBase64((string)key))
                Errors.Add($"{CosmosConnectionString}: its AccountKey is not base64; copy it whole");
            return (UriIn(CosmosConnectionString, (string)endpoint), (string)key);
        }

        private string? CertificateIn()
        {
            if (get(Certificate) is not { } text || (text.Length == 64 && text.All(char.IsAsciiHexDigit)))
                return get(Certificate);
            Errors.Add($"{Certificate}: must be the SHA-256 of the account's certificate, 64 hexadecimal digits");
            return null;
        }

        private bool SimulatedIn()
        {
            if (get(Simulated) is not { } text)
                return false;
            if (bool.TryParse(text, out var value))
                return value;
            Errors.Add($"{Simulated}: must be true or false");
            return false;
        }

        /// <summary>Null if no run writes to tables.</summary>
        private TableAccount? TablesIn()
        {
            var tables = get(Tables) is { } text ? Parse(Tables, () => TableAccount.Parse(text)) : null;
            if (tables?.Key is not null)
                RejectInAzure(Tables, "give the account's endpoint, and the app's identity the role Storage Table Data Contributor");
            return tables;
        }

        /// <summary>Null if containers are managed on the account's own data plane.</summary>
        private string? ResourceIdIn(Uri? endpoint)
        {
            const string setting = AccountConnection.ResourceIdSetting;
            var id = get(setting);
            if (id is not null && endpoint is not null)
                Parse(setting, () => AccountResourceId.From(new AccountConnection { Endpoint = endpoint, ResourceId = id }));
            return id;
        }

        /// <summary>A setting's value; adds an error and returns null if it is invalid.</summary>
        private T? Parse<T>(string setting, Func<T> parse)
            where T : class
        {
            try
            {
                return parse();
            }
            catch (Exception e) when (e is FormatException or AccountException)
            {
                Errors.Add($"{setting}: {e.Message}");
                return null;
            }
        }

        private void RejectInAzure(string setting, string instead)
        {
            if (!_local)
                Errors.Add($"{setting}: a connection string is for local use only; {instead}");
        }
    }
}

/// <param name="Settings">Null exactly if there are errors.</param>
/// <param name="Errors">Each begins with the setting's name. None repeats a value that may be a secret.</param>
public sealed record HostSettingsReading(HostSettings? Settings, IReadOnlyList<string> Errors);
