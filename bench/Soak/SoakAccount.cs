using ScaleOut.Simulator.Engine.Ledger;

namespace ScaleOut.Bench.Soak;

/// <summary>
/// The simulated account of a soak, in a process of its own that the soak never kills. The soak can cut its connections and read its ledger
/// of a container.
/// </summary>
internal static class SoakAccount
{
    public const string Role = "soak-account";

    public sealed record Reached(Uri Endpoint, string Key, string Thumbprint);

    /// <summary>The account's own counts of a container, summed over all containers of that name.</summary>
    public sealed record Ledger(long Created, long Deleted, int ContainersLeft);

    public static Task<ServerProcess<Reached>> StartAsync() => ServerProcesses.StartAsync<Reached>(Role, "");

    /// <summary>Shuts all connections of clients down, idle or not, as a failing network does.</summary>
    /// <returns>Number of connections that were shut down.</returns>
    public static async Task<int> CutAsync(ServerProcess<Reached> account) =>
        JsonSerializer.Deserialize<int>(await account.AskAsync("cut"));

    public static async Task<Ledger> ReadLedgerAsync(ServerProcess<Reached> account, string container) =>
        JsonSerializer.Deserialize<Ledger>(await account.AskAsync(container))!;

    /// <summary>Runs the account in its process.</summary>
    public static async Task ServeAsync()
    {
        var options = new AccountSettings { PhysicalPartitions = 3, Latency = LatencyProfile.None };
        await using var account = await SimulatedAccount.StartAsync(options, CancellationToken.None);
        Console.WriteLine(JsonSerializer.Serialize(new Reached(account.HttpsEndpoint, account.Key, account.CertificateThumbprint)));
        while (await Console.In.ReadLineAsync() is { } asked)
            Console.WriteLine(asked == "cut"
                ? JsonSerializer.Serialize(OwnConnections.ShutDown())
                : JsonSerializer.Serialize(LedgerOf(account.ReadLedger(), asked)));
    }

    /// <summary>The counts of the containers of a name in an account's ledger.</summary>
    public static Ledger LedgerOf(AccountLedger account, string name)
    {
        var containers = account.Containers.Where(container => container.Name == name).ToList();
        return new Ledger(
            containers.Sum(container => container.Documents.Created + container.Documents.UpsertedNew),
            containers.Sum(container => container.Documents.Deleted),
            containers.Count(container => !container.Deleted));
    }
}
