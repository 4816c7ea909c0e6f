using System.Text.Json;
using ScaleOut.Bench.Processes;
using ScaleOut.Simulator.Accounts;
using ScaleOut.Specs;

namespace ScaleOut.Bench.Calibration;

/// <summary>A simulated account with given physics in a process of its own.</summary>
public static class PhysicsServer
{
    public const string Role = "physics";

    public static Task<ServerProcess<AccountServer.Reached>> StartAsync(SimulationSpec physics) =>
        ServerProcesses.StartAsync<AccountServer.Reached>(Role, physics);

    /// <summary>The server's side.</summary>
    public static async Task ServeAsync(string physics)
    {
        var spec = JsonSerializer.Deserialize<SimulationSpec>(physics)!;
        await using var account = await SimulatedAccount.StartAsync(SimulatedAccountOptions.From(spec, seed: 1), CancellationToken.None);
        await AccountServer.ReportReadyAndWaitAsync(account);
    }
}
