using System.Text.Json.Nodes;

namespace ScaleOut.Orchestrator;

/// <summary>
/// Checks that the app was built with the backend that stores its orchestrations. The Durable Task Scheduler, which <c>host.json</c> names,
/// is a separate package. Without this check, the Functions host would fail with an exception of its own.
/// </summary>
internal static class DurableBackend
{
    private const string Scheduler = "azureManaged";
    private const string SettingPrefix = "AzureFunctionsJobHost__extensions__durableTask__storageProvider__";

    /// <summary>Returns an error with the settings to add, or nothing.</summary>
    /// <param name="folder">The app's folder, with <c>host.json</c> and the host's list of extensions.</param>
    public static IEnumerable<string> Errors(IConfiguration configuration, string folder)
    {
        var type = configuration[$"{SettingPrefix}type".Replace("__", ":", StringComparison.Ordinal)] ?? TypeIn(folder);
        if (string.Equals(type, Scheduler, StringComparison.OrdinalIgnoreCase) && !HasScheduler(folder))
            yield return $"{SettingPrefix}type: this build has no backend for {type}, which host.json or this setting names; set it to "
                + $"AzureStorage, and {SettingPrefix}connectionStringName to AzureWebJobsStorage, or build with "
                + "-p:DurableTaskScheduler=true";
    }

    private static string? TypeIn(string folder) =>
        ReadText(folder, "host.json") is { } host
            ? (string?)JsonNode.Parse(host)?["extensions"]?["durableTask"]?["storageProvider"]?["type"]
            : null;

    /// <summary>
    /// Whether the app has the scheduler's extension. True if there is no list of extensions, because the check then does not apply.
    /// </summary>
    private static bool HasScheduler(string folder) =>
        ReadText(folder, "extensions.json")?.Contains("AzureManaged", StringComparison.Ordinal) ?? true;

    private static string? ReadText(string folder, string name)
    {
        var path = Path.Combine(folder, name);
        return File.Exists(path) ? File.ReadAllText(path) : null;
    }
}
