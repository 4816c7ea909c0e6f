using ScaleOut.Analysis.Calibration;
using ScaleOut.DevBox.Accounts;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;

namespace ScaleOut.DevBox.Calibration;

/// <summary>
/// A simulated account in a process of its own whose every response takes the same known time, which shows what the client itself takes.
/// </summary>
internal sealed class ReferenceAccount : IAsyncDisposable
{
    private const string Id = "reference";

    private readonly SimulatedAccountProcess _process;
    private readonly DirectoryInfo _folder;

    private ReferenceAccount(SimulatedAccountProcess process, AccountConnection connection, DirectoryInfo folder) =>
        (_process, Connection, _folder) = (process, connection, folder);

    public AccountConnection Connection { get; }

    /// <exception cref="InvalidOperationException">It did not start.</exception>
    public static async Task<ReferenceAccount> StartAsync(CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("scaleout-calibrate-");
        try
        {
            var (process, ready) = await SimulatedAccountProcess.StartAsync(
                new AccountHandshakeRequest
                {
                    Simulation = new SimulationSpec { Latency = new LatencyProfile { RoundTripMs = LatencyEstimator.ReferenceMs } },
                    Seed = 0,
                    LockFile = Path.Combine(folder.FullName, "lock"),
                },
                Id, Path.Combine(folder.FullName, "account.log"), cancellationToken);
            return new ReferenceAccount(process, ready.ToConnection(), folder);
        }
        catch
        {
            folder.Delete(recursive: true);
            throw;
        }
    }

    /// <summary>Ends the process at once.</summary>
    public void Kill() => _process.Kill();

    public async ValueTask DisposeAsync()
    {
        await _process.EndAsync();
        await _process.DisposeAsync();
        try
        {
            _folder.Delete(recursive: true);
        }
        catch (IOException)
        {
            // Its log may still be open; the system clears temporary folders.
        }
    }
}
