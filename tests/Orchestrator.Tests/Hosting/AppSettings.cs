namespace ScaleOut.Orchestrator.Tests.Hosting;

/// <summary>Settings of the app in tests, as arguments of its worker.</summary>
internal static class AppSettings
{
    private static readonly Dictionary<string, string?> Usual = new()
    {
        ["AZURE_FUNCTIONS_ENVIRONMENT"] = "Development",
        ["COSMOS_CONNECTION_STRING"] = "AccountEndpoint=https://localhost:8081/;AccountKey=c2VjcmV0",
        ["RunStore"] = "UseDevelopmentStorage=true",
        // The build of the tests has no backend for the scheduler, which host.json names.
        ["AzureFunctionsJobHost:extensions:durableTask:storageProvider:type"] = "AzureStorage",
    };

    /// <summary>The usual settings with changes; null removes a setting.</summary>
    public static IEnumerable<string> Arguments(IReadOnlyDictionary<string, string?> settings) => Usual
        .Where(setting => !settings.ContainsKey(setting.Key))
        .Concat(settings)
        .Where(setting => setting.Value is not null)
        .Select(setting => $"--{setting.Key}={setting.Value}");

    /// <summary>Arguments with which the Functions host starts a worker, by their names as settings.</summary>
    public static IEnumerable<string> HostArguments(Uri host)
    {
        var id = Guid.NewGuid().ToString();
        return
        [
            $"--Functions:Worker:HostEndpoint={host}", $"--Functions:Worker:WorkerId={id}", $"--Functions:Worker:RequestId={id}",
            $"--Functions:Worker:GrpcMaxMessageLength={int.MaxValue}",
        ];
    }
}
