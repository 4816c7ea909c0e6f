using Microsoft.Extensions.Logging.Abstractions;

namespace ScaleOut.Simulator.Accounts;

/// <summary>A simulated account: its physics, which it shares with the spec of a run, and where it listens.</summary>
public sealed record SimulatedAccountOptions : SimulationSpec
{
    public SimulatedAccountOptions()
    {
    }

    private SimulatedAccountOptions(SimulationSpec simulation)
        : base(simulation)
    {
    }

    /// <summary>Seed of all randomness: latencies and the chances of faults. Default 1.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>The account key, base64. Null means a random one of 64 bytes.</summary>
    public string? Key { get; init; }

    /// <summary>0, the default, means any free port, here and below.</summary>
    public int HttpsPort { get; init; }

    public int HttpPort { get; init; }

    public int ControlPort { get; init; }

    /// <summary>
    /// The folder that keeps databases, containers, documents and the key between runs. Null, the default, keeps nothing.
    /// </summary>
    public string? DataFolder { get; init; }

    /// <summary>Where the HTTPS and HTTP front ends listen. Default: 127.0.0.1, which only this machine reaches.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>Logs connections that the account ends, requests that fail, and splits and merges that cannot be done.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>The options for a run's simulation.</summary>
    public static SimulatedAccountOptions From(SimulationSpec simulation, int seed) => new(simulation) { Seed = seed };
}
