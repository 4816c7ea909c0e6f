using Azure.Core.Serialization;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using ScaleOut.Json;
using ScaleOut.Progress;
using ScaleOut.Storage;
using ScaleOut.Workers.Hosting;
using ScaleOut.Workers.Legs;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Orchestrator;

/// <summary>What the functions are made of.</summary>
internal static class ServiceRegistration
{
    private const string TelemetryLogger = "Microsoft.Extensions.Logging.ApplicationInsights.ApplicationInsightsLoggerProvider";

    /// <summary>Registers everything.</summary>
    /// <exception cref="InvalidOperationException">Settings are missing or wrong; the message names all of them.</exception>
    public static IServiceCollection AddScaleOut(this IServiceCollection services, IConfiguration configuration)
    {
        var settings = SettingsIn(configuration);

        // What goes through the engine is written as everywhere else in the project, not as the worker would by default.
        services.Configure<WorkerOptions>(options => options.Serializer = new JsonObjectSerializer(ScaleOutJson.Compact));

        services.AddApplicationInsightsTelemetryWorkerService();
        services.ConfigureFunctionsApplicationInsights();
        // The telemetry library would let only warnings through.
        services.Configure<LoggerFilterOptions>(options =>
        {
            foreach (var rule in options.Rules.Where(rule => rule.ProviderName == TelemetryLogger).ToList())
                options.Rules.Remove(rule);
        });

        services.AddSingleton(settings);
        services.AddSingleton(settings.Account);
        services.AddSingleton(StorageClients.Blobs(settings.RunStore, HostSettings.RunsContainer));
        services.AddSingleton<IRunStore, BlobRunStore>();
        services.AddSingleton<IRunCatalog, BlobRunCatalog>();
        services.AddSingleton<LegRunner>();
        return services;
    }

    private static HostSettings SettingsIn(IConfiguration configuration)
    {
        var reading = HostSettingsReader.Read(name => configuration[name.Replace("__", ":", StringComparison.Ordinal)]);
        return reading.Settings ?? throw new InvalidOperationException("The app cannot start: " + string.Join("; ", reading.Faults));
    }
}
