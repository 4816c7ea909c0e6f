namespace ScaleOut.Sizing;

/// <summary>The spec of a run of the fleet that was found, for a real account.</summary>
public static class SizedSpec
{
    /// <summary>Length of the run at the rate asked for.</summary>
    private const double Seconds = 120;

    /// <param name="fields">Fields of that spec, with the options applied.</param>
    public static string From(JsonObject fields, RunSpec spec, SizeResult result)
    {
        var settings = result.Settings;
        var made = fields.DeepClone().AsObject();
        foreach (var name in (string[])["id", "simulation", "workerOverrides"])
            made.Remove(name);
        (made["container"] as JsonObject)?.Remove("throughputSteps");
        // The run has as many documents as its length takes, and deletes one with each operation.
        if (spec.Workload.DeletesEach)
            (made["workload"] as JsonObject)?.Remove("preload");
        var perWorker = Math.Ceiling(result.Rate!.Value / settings.Workers * 100) / 100;
        (string Path, JsonNode? Value)[] values =
        [
            ("workers", settings.Workers),
            ("documents", (long)Math.Max(settings.Workers, Math.Ceiling(result.Rate.Value * Seconds))),
            ("client.connectionMode", settings.Mode.ToString()),
            ("client.concurrency", settings.Concurrency),
            ("client.rate", perWorker),
            ("client.maxConnections", settings.Concurrency > RunEstimate.DefaultGatewayConnections
                ? FleetTrials.ConnectionsOf(spec, settings)
                : spec.Client.MaxConnections),
            ("container.throughput", spec.Container.Name is null ? settings.Throughput : null),
            .. settings.Bulk ? [("workload.kind", JsonValue.Create("bulk"))] : Array.Empty<(string, JsonNode?)>(),
        ];
        foreach (var (path, value) in values.Where(one => one.Value is not null))
            SpecEdit.Set(made, path, value);
        return made.ToJsonString(ScaleOutJson.Indented) + "\n";
    }
}
