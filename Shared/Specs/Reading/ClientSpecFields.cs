namespace ScaleOut.Specs.Reading;

/// <summary>The fields of a <see cref="ClientSpec"/>, and of a <see cref="WorkerOverride"/>.</summary>
internal static class ClientSpecFields
{
    public static ClientSpec Read(ISpecObject client) => new()
    {
        ConnectionMode = client.Field("connectionMode", "Gateway is HTTPS, Direct is TCP to the replicas.").Choice<ConnectionMode>(),
        Concurrency = client.Field("concurrency",
            $"Operations in flight per worker; {ClientSpec.DefaultConcurrency} when left out, in bulk {ClientSpec.DefaultBulkConcurrency}.")
            .WholeInt(1, ClientSpec.MostConcurrency),
        Consistency = client.Field("consistency", "Never stronger than the account's, which holds when left out.")
            .Choice<ConsistencyLevel>(),
        MaxConnections = client.Field("maxConnections",
            "GatewayModeMaxConnectionLimit in Gateway, MaxTcpConnectionsPerEndpoint in Direct; the SDK's default when left out.")
            .WholeInt(1, ClientSpec.MostConnections),
        ContentResponseOnWrite = client.Field("contentResponseOnWrite", "Whether writes return the document.").Flag(),
        Rate = client.Field("rate", "Open loop: documents per second and worker. A closed loop when left out.")
            .Number(0, ClientSpec.MostRate, aboveMinimum: true),
        Cores = client.Field("cores", "Processor cores that each worker process is bound to on the dev box; all when left out.")
            .WholeInt(1, ClientSpec.MostCores),
    };

    public static WorkerOverride ReadOverride(ISpecObject entry) => new()
    {
        Workers = entry.Required("workers", "Indices of the workers, from 0.")
            .List(item => item.WholeInt(0, RunSpec.MostWorkers - 1) ?? 0, 1, RunSpec.MostWorkers, unique: true) ?? [],
        Client = entry.Required("client", "The settings that differ.").Nested(Read) ?? new ClientSpec(),
    };
}
