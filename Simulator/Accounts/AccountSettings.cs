using Microsoft.Extensions.Logging.Abstractions;

namespace ScaleOut.Simulator.Accounts;

/// <summary>
/// All settings of a simulated account: its physics, which it shares with the spec of a run, and where it listens. Test suites of other
/// programs choose among them by <see cref="SimulatedAccountOptions"/>.
/// </summary>
internal sealed record AccountSettings : SimulationSpec
{
    public AccountSettings()
    {
    }

    private AccountSettings(SimulationSpec simulation)
        : base(simulation)
    {
    }

    /// <summary>Seed of all randomness: latencies and the chances of faults. Default 1.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>RU/s of a container that is created without a throughput.</summary>
    public int Throughput { get; init; } = ContainerSpec.MinThroughput;

    /// <summary>The account key, base64. Null means a random one of 64 bytes.</summary>
    public string? Key { get; init; }

    /// <summary>Whether every token of an identity is accepted beside the key, whoever issued it. Default false.</summary>
    public bool AcceptsAnyToken { get; init; }

    /// <summary>Port of the HTTPS front end. Default 0: any free port, as for the other ports.</summary>
    public int HttpsPort { get; init; }

    public int HttpPort { get; init; }

    public int ControlPort { get; init; }

    /// <summary>
    /// The folder that keeps databases, containers, documents and the key between runs. Null, the default, keeps nothing.
    /// </summary>
    public string? DataFolder { get; init; }

    /// <summary>
    /// A file that keeps the certificate between processes, as PKCS #12, for its user alone. Null, the default, keeps none. A data folder
    /// has a file of its own.
    /// </summary>
    public string? CertificateFile { get; init; }

    /// <summary>File that gets the account's key if there is no such file; only its user can read it. Null: no file.</summary>
    public string? KeyFile { get; init; }

    /// <summary>Where the HTTPS and HTTP front ends listen. Default: 127.0.0.1, which only this machine reaches.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>Logs connections that the account ends, requests that fail, and splits and merges that cannot be done.</summary>
    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>The settings for a run's simulation.</summary>
    public static AccountSettings From(SimulationSpec simulation, int seed) => new(simulation) { Seed = seed };

    /// <summary>Every reason why no account can have these settings. Each begins with the setting's name.</summary>
    public IEnumerable<string> Errors()
    {
        if (PhysicalPartitions is < 1 or > MaxPhysicalPartitions)
            yield return $"{nameof(PhysicalPartitions)}: {PhysicalPartitions} is not 1 to {MaxPhysicalPartitions}.";
        if (WhyNoOffer(Throughput) is { } reason)
            yield return $"{nameof(Throughput)}: {reason}";
        if (Key is not null && !(Convert.TryFromBase64String(Key, new byte[Key.Length], out var length) && length > 0))
            yield return $"{nameof(Key)}: the account key is not base64.";
        if (DataFolder is not null && string.IsNullOrWhiteSpace(DataFolder))
            yield return $"{nameof(DataFolder)}: the name is empty.";
    }

    private static string? WhyNoOffer(int throughput)
    {
        try
        {
            Offer.FromHeaders(null, null, throughput);
            return null;
        }
        catch (RequestException e)
        {
            return e.Message;
        }
    }
}
