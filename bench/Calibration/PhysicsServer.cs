using System.Text.Json;
using ScaleOut.Bench.Processes;
using ScaleOut.Simulator.Accounts;
using ScaleOut.Specs;

namespace ScaleOut.Bench.Calibration;

/// <summary>A simulated account with given physics in a process of its own.</summary>
public static class PhysicsServer
{
    public const string Role = "physics";

    /// <param name="physics">What is to be measured.</param>
    /// <param name="seed">Of its random times. With one seed for several accounts all would have the same luck.</param>
    public static Task<ServerProcess<AccountServer.Reached>> StartAsync(SimulationSpec physics, int seed) =>
        ServerProcesses.StartAsync<AccountServer.Reached>(Role, new Settings(physics, seed));

    /// <summary>The server's side.</summary>
    public static async Task ServeAsync(string settings)
    {
        var (physics, seed) = JsonSerializer.Deserialize<Settings>(settings)!;
        await using var account = await SimulatedAccount.StartAsync(SimulatedAccountOptions.From(physics, seed), CancellationToken.None);
        await AccountServer.ReportReadyAndWaitAsync(account);
    }

    private sealed record Settings(SimulationSpec Physics, int Seed);
}
