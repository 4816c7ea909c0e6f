using System.Diagnostics;
using System.Text.Json;
using Azure.Identity;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Extensions.DependencyInjection;
using ScaleOut.Json;

namespace ScaleOut.Orchestrator;

/// <summary>Registers the services of the functions.</summary>
internal static class ServiceRegistration
{
    private const string TelemetryConnectionString = "APPLICATIONINSIGHTS_CONNECTION_STRING";
    private const string TelemetryIdentity = "APPLICATIONINSIGHTS_AUTHENTICATION_STRING";
    private const string TelemetryLogger = "Microsoft.Extensions.Logging.ApplicationInsights.ApplicationInsightsLoggerProvider";

    /// <summary>Settings are read and validated when the app starts: see <see cref="HostSettingsFactory"/>.</summary>
    public static IServiceCollection AddScaleOut(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddOptions<HostSettings>().ValidateOnStart();
        services.AddSingleton<IOptionsFactory<HostSettings>, HostSettingsFactory>();

        // Durable Functions and the worker's own serializer use these options.
        services.Configure<JsonSerializerOptions>(ScaleOutJson.Configure);
        services.AddSingleton(TimeProvider.System);
        services.AddSingleton(provider => provider.Settings().Account);
        services.AddSingleton(provider => StorageClients.Blobs(provider.Settings().RunStore, HostSettings.RunsContainer));
        services.AddSingleton<IRunStore, BlobRunStore>();
        services.AddSingleton<IRunCatalog, BlobRunCatalog>();
        services.AddSingleton<IProgressSink>(provider =>
        {
            var logger = provider.GetRequiredService<ILogger<QueueProgressSink>>();
            return new QueueProgressSink(provider.Settings().RunStore, trouble => logger.ProgressNotSent(trouble));
        });
        services.AddSingleton<ILegRunner, LegRunner>();
        services.AddSingleton(provider => new RunAdmission(
            provider.GetRequiredService<IRunStore>(), provider.Settings().WorkerCapacity, provider.GetRequiredService<TimeProvider>()));
        services.AddSingleton(provider => RulesFrom(provider.Settings(), provider.GetRequiredService<Func<IContainerControl>>()));
        services.AddScaleOutApi();
        services.AddSingleton<Func<IContainerControl>>(provider => () => new ContainerControl(
            provider.Settings().Account, provider.GetRequiredService<ILogger<ContainerControl>>()));
        services.AddSingleton<LeftContainerSweep>();
        services.AddSingleton<LostRuns>();
        services.AddHostedService<HostWatch>();
        return services.AddTelemetry(configuration);
    }

    private static HostSettings Settings(this IServiceProvider provider) => provider.GetRequiredService<IOptions<HostSettings>>().Value;

    private static HostRules RulesFrom(HostSettings settings, Func<IContainerControl> open) => new()
    {
        MayChangeThroughputAsync = async cancellationToken =>
        {
            using var containers = open();
            return await containers.MayChangeThroughputAsync(ContainerSpec.DefaultDatabase, cancellationToken);
        },
        Target = RunTarget.OtherAccount,
        Simulated = settings.Account.Simulated,
        HasTables = settings.Account.Tables is not null,
        LegDuration = RunSpec.DefaultLegDurationInAzure,
        RequestUnitsPerSecond = new SettingLimit(HostSettings.MaxRequestUnitsSetting, settings.MaxRequestUnits),
        Workers = new SettingLimit(HostSettings.MaxWorkersSetting, settings.MaxWorkers),
        WorkersAtOnce = new SettingLimit(HostSettings.WorkerCapacitySetting, settings.WorkerCapacity),
        TelemetryGigabytesPerDay = settings.TelemetryGigabytesPerDay is { } gigabytes
            ? new SettingLimit(HostSettings.TelemetryQuotaSetting, gigabytes)
            : null,
        Prices = settings.Prices,
    };

    private static IServiceCollection AddTelemetry(this IServiceCollection services, IConfiguration configuration)
    {
        services.AddSingleton<IRunTelemetry, MetricsTelemetry>();

        // Dependency tracking would slow down Gateway mode but not Direct mode, and use up the quota. The project's own sampled records
        // do not depend on it.
        services.AddApplicationInsightsTelemetryWorkerService(options => options.EnableDependencyTrackingTelemetryModule = false);
        services.ConfigureFunctionsApplicationInsights();
        // By default, the telemetry library drops everything below a warning.
        services.Configure<LoggerFilterOptions>(options =>
        {
            foreach (var rule in options.Rules.Where(rule => rule.ProviderName == TelemetryLogger).ToList())
                options.Rules.Remove(rule);
            // Four lines for each poll of a status.
            options.AddFilter("Microsoft.AspNetCore", LogLevel.Warning);
        });

        if (configuration[TelemetryConnectionString] is not { Length: > 0 } connectionString)
            return services;
        services.AddHostedService<OrchestrationSpans>();
        var credential = configuration[TelemetryIdentity] is { Length: > 0 } ? new DefaultAzureCredential() : null;
        services.AddSingleton<IRunTelemetry>(
            provider => new ApplicationInsightsTelemetry(connectionString, provider.Settings().Account.Endpoint, credential));
        return services;
    }
}

/// <summary>
/// Listens to the spans of the Durable Task client. It passes its parent on to the orchestration that it starts only if somebody listens.
/// </summary>
internal sealed class OrchestrationSpans : IHostedService, IDisposable
{
    private readonly ActivityListener _listener = new()
    {
        ShouldListenTo = source => source.Name == "Microsoft.DurableTask",
        Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
    };

    public Task StartAsync(CancellationToken cancellationToken)
    {
        ActivitySource.AddActivityListener(_listener);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _listener.Dispose();
}

/// <summary>
/// Reads the app's options from its configuration, and from the price file in the app's folder. A custom factory is needed because the
/// options are immutable and depend on each other, such as an endpoint or a connection string.
/// </summary>
internal sealed class HostSettingsFactory(IConfiguration configuration) : IOptionsFactory<HostSettings>
{
    /// <exception cref="OptionsValidationException">Settings are missing or invalid. The failures name all of them.</exception>
    public HostSettings Create(string name)
    {
        var prices = Path.Combine(AppContext.BaseDirectory, HostSettings.PricesFile);
        var reading = HostSettingsReader.Read(
            setting => configuration[setting.Replace("__", ":", StringComparison.Ordinal)],
            File.Exists(prices) ? File.ReadAllText(prices) : null);
        string[] errors = [.. reading.Errors, .. DurableBackend.Errors(configuration, AppContext.BaseDirectory)];
        return errors.Length == 0 ? reading.Settings! : throw new OptionsValidationException(name, typeof(HostSettings), errors);
    }
}
