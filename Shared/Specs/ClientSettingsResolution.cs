namespace ScaleOut.Specs;

/// <summary>Fills in what a spec leaves open about a worker's client.</summary>
public static class ClientSettingsResolution
{
    /// <summary>Operations in flight where a spec does not say.</summary>
    public const int DefaultConcurrency = 20;

    /// <summary>Operations in flight of a client that groups them in bulk, where a spec does not say.</summary>
    public const int DefaultBulkConcurrency = 1_000;

    /// <summary>The effective client settings of a worker: the run's, then its overrides in their order, then the defaults.</summary>
    /// <param name="spec">A valid spec.</param>
    /// <param name="worker">Index of the worker, from 0.</param>
    public static ClientSettings SettingsOf(this RunSpec spec, int worker)
    {
        ArgumentNullException.ThrowIfNull(spec);
        var client = spec.WorkerOverrides
            .Where(entry => entry.Workers.Contains(worker))
            .Aggregate(spec.Client, (settings, entry) => Apply(settings, entry.Client));
        return new ClientSettings
        {
            ConnectionMode = client.ConnectionMode,
            Concurrency = client.Concurrency ?? (spec.Workload.UsesBulk ? DefaultBulkConcurrency : DefaultConcurrency),
            Consistency = client.Consistency,
            MaxConnections = client.MaxConnections,
            ContentResponseOnWrite = client.ContentResponseOnWrite,
            Rate = client.Rate,
            Cores = client.Cores,
        };
    }

    private static ClientSpec Apply(ClientSpec settings, ClientOverride change) => settings with
    {
        ConnectionMode = change.ConnectionMode ?? settings.ConnectionMode,
        Concurrency = change.Concurrency ?? settings.Concurrency,
        Consistency = change.Consistency ?? settings.Consistency,
        MaxConnections = change.MaxConnections ?? settings.MaxConnections,
        ContentResponseOnWrite = change.ContentResponseOnWrite ?? settings.ContentResponseOnWrite,
        Rate = change.Rate ?? settings.Rate,
        Cores = change.Cores ?? settings.Cores,
    };
}
