using System.Reflection;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Azure.Functions.Worker.Builder;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using ScaleOut.Json;
using ScaleOut.Workers.Telemetry;

namespace ScaleOut.Orchestrator.Tests;

public sealed class ServiceRegistrationTests
{
    private static readonly Dictionary<string, string?> Settings = new()
    {
        ["AZURE_FUNCTIONS_ENVIRONMENT"] = "Development",
        ["COSMOS_CONNECTION_STRING"] = "AccountEndpoint=https://localhost:8081/;AccountKey=c2VjcmV0;",
        ["RunStore"] = "UseDevelopmentStorage=true",
    };

    /// <summary>The classes whose methods are functions, and that are made for each call.</summary>
    public static TheoryData<Type> FunctionClasses =>
        [.. typeof(ServiceRegistration).Assembly.GetTypes().Where(type => FunctionsOf(type).Any(method => !method.IsStatic))];

    [Theory]
    [MemberData(nameof(FunctionClasses))]
    public void Services_OfEveryFunctionClass_CanBeMade(Type functions)
    {
        using var host = Build(Settings);

        Assert.NotNull(ActivatorUtilities.CreateInstance(host.Services, functions));
    }

    [Fact]
    public void Functions_Names_AreApart()
    {
        var names = typeof(ServiceRegistration).Assembly.GetTypes().SelectMany(FunctionsOf).Select(method => method.GetCustomAttribute<FunctionAttribute>()!.Name).ToList();

        Assert.Equal(names.Count, names.Distinct(StringComparer.OrdinalIgnoreCase).Count());
        Assert.True(names.Count >= 15, $"{names.Count} functions");
    }

    [Fact]
    public void Services_Payloads_AreWrittenAsEverywhereElse()
    {
        using var host = Build(Settings);
        var serializer = host.Services.GetRequiredService<IOptions<WorkerOptions>>().Value.Serializer!;

        var text = serializer.Serialize(new Specs.RunSpec { Id = "r1" }, cancellationToken: TestContext.Current.CancellationToken).ToString();

        Assert.Equal(System.Text.Json.JsonSerializer.Serialize(new Specs.RunSpec { Id = "r1" }, ScaleOutJson.Compact), text);
    }

    [Fact]
    public void Services_WithApplicationInsights_TellOfLegsAndRuns()
    {
        var settings = new Dictionary<string, string?>(Settings)
        {
            ["APPLICATIONINSIGHTS_CONNECTION_STRING"] = "InstrumentationKey=00000000-0000-0000-0000-000000000001;IngestionEndpoint=https://127.0.0.1:9/",
        };
        using var with = Build(settings);
        using var without = Build(Settings);

        Assert.Same(with.Services.GetRequiredService<ILegTelemetry>(), with.Services.GetRequiredService<IRunTelemetry>());
        Assert.Null(without.Services.GetService<ILegTelemetry>());
    }

    [Fact]
    public void Services_SettingsWrong_NameAllOfThem()
    {
        var fault = Assert.Throws<InvalidOperationException>(() => Build(new Dictionary<string, string?> { ["MAX_RUS"] = "lots" }));

        Assert.All(["COSMOS_ENDPOINT", "RunStore__blobServiceUri", "MAX_RUS"], name => Assert.Contains(name, fault.Message, StringComparison.Ordinal));
    }

    private static IEnumerable<MethodInfo> FunctionsOf(Type type) =>
        type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static).Where(method => method.GetCustomAttribute<FunctionAttribute>() is not null);

    private static IHost Build(Dictionary<string, string?> settings)
    {
        var builder = FunctionsApplication.CreateBuilder([]);
        builder.ConfigureFunctionsWebApplication();
        builder.Configuration.AddInMemoryCollection(settings);
        builder.Services.AddScaleOut(builder.Configuration);
        return builder.Build();
    }
}
