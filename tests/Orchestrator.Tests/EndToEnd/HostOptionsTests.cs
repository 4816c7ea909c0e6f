using System.Globalization;
using System.Reflection;
using System.Xml.Linq;
using Microsoft.Azure.Functions.Worker.Extensions.Abstractions;
using Microsoft.Azure.WebJobs;
using Microsoft.Azure.WebJobs.Extensions.DurableTask;
using Microsoft.Azure.WebJobs.Extensions.Http;
using Microsoft.Azure.WebJobs.Host;
using Microsoft.Azure.WebJobs.Host.Config;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using ScaleOut.Tests.Support.Infra;
using HttpOptions = Microsoft.Azure.WebJobs.Extensions.Http.HttpOptions;

namespace ScaleOut.Orchestrator.Tests.EndToEnd;

/// <summary>
/// host.json and the app's settings, read and validated by the extensions that the Functions host loads. A value that one of them rejects
/// keeps the host from starting.
/// </summary>
public sealed class HostOptionsTests
{
    private const string Section = "AzureFunctionsJobHost";
    private const string Durable = $"{Section}__extensions__durableTask__";
    private const string ControlQueue = $"{Durable}storageProvider__controlQueueVisibilityTimeout";
    private const string LocalSample = "local.settings.sample.json";

    private static readonly JsonNode HostFile = JsonNode.Parse(InfraFiles.ReadTop("host.json"))!;

    private static readonly Dictionary<string, IReadOnlyDictionary<string, string>> Settings = new()
    {
        [LocalSample] = Sample(LocalSample),
        ["local.settings.scheduler.sample.json"] = Sample("local.settings.scheduler.sample.json"),
        ["default deployment"] = Deployment.Default.AppSettings,
        ["deployment with a network"] = Deployment.Network.AppSettings,
    };

    public static TheoryData<string> Places => [.. Settings.Keys];

    [Theory]
    [MemberData(nameof(Places))]
    public void Host_SettingsOfAPlace_AreValidForItsExtensions(string place)
    {
        using var host = Host(Settings[place]);

        Validate(host);
        var queues = host.Services.GetRequiredService<IOptions<QueuesOptions>>().Value;
        var ofFile = HostFile["extensions"]!["queues"]!;
        Assert.Equal(((int)ofFile["batchSize"]!, (int)ofFile["maxDequeueCount"]!), (queues.BatchSize, queues.MaxDequeueCount));
        Assert.Equal(
            (string)HostFile["extensions"]!["http"]!["routePrefix"]!,
            host.Services.GetRequiredService<IOptions<HttpOptions>>().Value.RoutePrefix);
        Assert.Equal(
            Settings[place].TryGetValue($"{Durable}maxConcurrentActivityFunctions", out var given)
                ? int.Parse(given, CultureInfo.InvariantCulture)
                : (int)HostFile["extensions"]!["durableTask"]!["maxConcurrentActivityFunctions"]!,
            host.Services.GetRequiredService<IOptions<DurableTaskOptions>>().Value.MaxConcurrentActivityFunctions);
    }

    /// <summary>The binder ignores a name that it does not know.</summary>
    [Theory]
    [MemberData(nameof(Places))]
    public void Host_NamesOfSettings_AreThoseOfTheExtensions(string place)
    {
        using var host = Host(Settings[place]);
        var extensions = host.Services.GetRequiredService<IConfiguration>().GetSection($"{Section}:extensions");

        Read<DurableTaskOptions>("durableTask");
        Read<QueuesOptions>("queues");
        Read<HttpOptions>("http");
        var provider = extensions.GetSection("durableTask:storageProvider").GetChildren().Select(setting => setting.Key);
        Assert.All(provider.Where(name => name != "type"), name => Assert.Contains(
            typeof(AzureStorageOptions).GetProperties(), property => property.Name.Equals(name, StringComparison.OrdinalIgnoreCase)));

        void Read<T>(string name) => Assert.NotNull(
            extensions.GetSection(name).Get<T>(options => options.ErrorOnUnknownConfiguration = true));
    }

    /// <summary>The app's hub, whose name is a setting, is a name that Azure Storage takes.</summary>
    [Fact]
    public void Host_SettingsOfTheLocalSample_OpenTheHubThatTheyName()
    {
        using var host = Host(Settings[LocalSample]);

        Assert.NotEmpty(host.Services.GetServices<IExtensionConfigProvider>());
        Assert.Equal(Settings[LocalSample]["TASKHUB_NAME"], host.Services.GetRequiredService<IOptions<DurableTaskOptions>>().Value.HubName);
    }

    [Theory]
    [InlineData("00:01:00", true)]
    [InlineData("00:00:59", false)]
    public void Host_TimeOutOfStepsOfOrchestrations_IsAMinuteAtLeast(string timeout, bool isValid)
    {
        using var host = Host(new Dictionary<string, string>(Settings[LocalSample]) { [ControlQueue] = timeout });

        var e = Record.Exception(() => Validate(host));

        Assert.Equal(isValid, e is null);
        if (e is not null)
            Assert.Contains("ControlQueueVisibilityTimeout", e.Message, StringComparison.Ordinal);
    }

    /// <summary>So these tests ask the version that is published with the app.</summary>
    [Fact]
    public void Packages_DurableExtension_IsTheOneThatTheAppPublishes()
    {
        var published = Assembly.Load("Microsoft.Azure.Functions.Worker.Extensions.DurableTask")
            .GetCustomAttribute<ExtensionInformationAttribute>()!;
        var packages = XDocument.Parse(InfraFiles.ReadTop("Directory.Packages.props")).Descendants("PackageVersion");

        Assert.Equal(published.ExtensionVersion, (string?)packages.Single(
            package => (string?)package.Attribute("Include") == published.ExtensionPackage).Attribute("Version"));
    }

    private static void Validate(IHost host)
    {
        // The constructor of each validates the settings of its backend, if they name it.
        Assert.NotEmpty(host.Services.GetServices<IDurabilityProviderFactory>());
        // The extension calls it when it starts. It is not public.
        var validate = typeof(DurableTaskOptions).GetMethod("Validate", BindingFlags.Instance | BindingFlags.NonPublic)!;
        var names = host.Services.GetRequiredService<INameResolver>();
        validate.Invoke(
            host.Services.GetRequiredService<IOptions<DurableTaskOptions>>().Value,
            BindingFlags.DoNotWrapExceptions,
            binder: null,
            [.. validate.GetParameters().Select(parameter => parameter.ParameterType == typeof(INameResolver) ? names : null)],
            culture: null);
    }

    /// <summary>The Functions host reads host.json into a section of this name. Settings with its prefix override it.</summary>
    private static IHost Host(IEnumerable<KeyValuePair<string, string>> settings) => new HostBuilder()
        .ConfigureAppConfiguration(configuration => configuration
            .AddJsonStream(new MemoryStream(JsonSerializer.SerializeToUtf8Bytes(new JsonObject { [Section] = HostFile.DeepClone() })))
            .AddInMemoryCollection(settings
                .Select(setting => KeyValuePair.Create(setting.Key.Replace("__", ":", StringComparison.Ordinal), (string?)setting.Value))
                .Append(new("AzureWebJobsConfigurationSection", Section))))
        .ConfigureWebJobs(host => host.AddDurableTask().AddAzureStorageQueues().AddHttp())
        .Build();

    private static Dictionary<string, string> Sample(string file) => JsonNode.Parse(InfraFiles.ReadTop(file))!["Values"]!.AsObject()
        .ToDictionary(setting => setting.Key, setting => (string)setting.Value!);
}
