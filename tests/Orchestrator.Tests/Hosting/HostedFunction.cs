namespace ScaleOut.Orchestrator.Tests.Hosting;

/// <summary>A function as the worker describes it.</summary>
/// <param name="Id">Given by the host.</param>
/// <param name="Name">Its name.</param>
/// <param name="Bindings">By parameter name, as they are declared.</param>
internal sealed record HostedFunction(string Id, string Name, IReadOnlyDictionary<string, JsonObject> Bindings)
{
    /// <summary>The binding that starts it.</summary>
    public KeyValuePair<string, JsonObject> Trigger =>
        Bindings.Single(binding => TypeOf(binding.Value).EndsWith("Trigger", StringComparison.OrdinalIgnoreCase));

    public string TriggerType => TypeOf(Trigger.Value);

    /// <summary>Whether the Functions host calls it for a method: one that it declares, or any if it declares none.</summary>
    public bool Accepts(HttpMethod method) => Trigger.Value["methods"] is not JsonArray { Count: > 0 } declared
        || declared.Any(one => string.Equals((string?)one, method.Method, StringComparison.OrdinalIgnoreCase));

    public static string TypeOf(JsonObject binding) => (string)binding["type"]!;

    /// <summary>Reads the description of a function.</summary>
    /// <param name="metadata">An entry of <c>functionMetadataResults</c>.</param>
    public static HostedFunction From(JsonObject metadata)
    {
        var id = (string?)metadata["functionId"] is { Length: > 0 } own ? own : Guid.NewGuid().ToString();
        var bindings = metadata["rawBindings"]!.AsArray().Select(raw => JsonNode.Parse((string)raw!)!.AsObject()).ToDictionary(
            binding => (string)binding["name"]!);
        return new HostedFunction(id, (string)metadata["name"]!, bindings);
    }
}
