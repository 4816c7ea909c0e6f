using Microsoft.Azure.Cosmos;

namespace ScaleOut.Bench.Processes;

/// <summary>The simulated account in a process of its own, with four partitions and enough RU/s that they limit nothing.</summary>
public static class AccountServer
{
    public const string Role = "account";

    /// <summary>How to reach the account.</summary>
    public sealed record Reached(AccountConnection Connection, string Control);

    public static Task<ServerProcess<Reached>> StartAsync(LatencyProfile latency) => ServerProcesses.StartAsync<Reached>(Role, latency);

    /// <summary>Runs the account in the server process.</summary>
    public static async Task ServeAsync(string latency)
    {
        var profile = JsonSerializer.Deserialize<LatencyProfile>(latency)!;
        await using var account = await SimulatedAccount.StartAsync(
            new AccountSettings { PhysicalPartitions = 4, Latency = profile }, CancellationToken.None);
        await ReportReadyAndWaitAsync(account);
    }

    /// <summary>Reports how to reach an account, and waits until the server is to end.</summary>
    internal static Task ReportReadyAndWaitAsync(SimulatedAccount account) => ServerSide.ReportReadyAndWaitAsync(new Reached(
        new AccountConnection
        {
            Endpoint = account.HttpsEndpoint,
            Key = account.Key,
            CertificateThumbprint = account.CertificateThumbprint,
            Simulated = true,
        },
        account.ControlEndpoint.AbsoluteUri));

    /// <param name="keyPath">Default: the partition key path of <c>perfTest</c> documents.</param>
    public static async Task<ContainerTarget> CreateContainerAsync(
        AccountConnection connection, string name, string keyPath = "/PartitionKey")
    {
        using var client = CosmosClientFactory.CreateControl(connection);
        Database database = await client.CreateDatabaseIfNotExistsAsync("bench");
        var properties = new ContainerProperties(name, keyPath) { PartitionKeyDefinitionVersion = PartitionKeyDefinitionVersion.V2 };
        await database.CreateContainerAsync(properties, ThroughputProperties.CreateManualThroughput(10_000_000));
        return new ContainerTarget("bench", name, keyPath);
    }
}
