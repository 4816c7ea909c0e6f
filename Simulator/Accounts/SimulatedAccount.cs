using Microsoft.Extensions.Logging.Abstractions;
using ScaleOut.Simulator.Direct;
using ScaleOut.Simulator.Gateway;
using ScaleOut.Simulator.Persistence;

namespace ScaleOut.Simulator.Accounts;

/// <summary>A Cosmos DB account in memory for the unmodified SDK. It has its own key and certificate.</summary>
public sealed class SimulatedAccount : IAsyncDisposable
{
    private const int KeyBytes = 64;

    /// <summary>Ports for document partitions in Direct, at most; one more is for the databases.</summary>
    public const int MaxDirectPorts = DirectServer.MaxPorts;

    private readonly AccountContext _context;
    private readonly List<LoopbackWebServer> _servers = [];
    private DirectServer? _direct;
    private readonly TaskCompletionSource _shutdownRequested = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _disposed;

    private readonly AccountData? _data;

    private SimulatedAccount(SimulatedAccountOptions options, byte[] key, TimeProvider time, AccountData? data)
    {
        _data = data;
        Key = Convert.ToBase64String(key);
        if (options.KeyFile is { } keyFile && !File.Exists(keyFile))
            DurableFile.Write(keyFile, Encoding.ASCII.GetBytes(Key), DurableFile.OwnerOnly);
        _context = new AccountContext(new AccountEngine(options, options.Seed, time, options.Logger), key, options.Logger);
        // Clients validate the certificate against the system clock, not against the account's clock.
        var now = TimeProvider.System.GetUtcNow();
        (Certificate, WhyCertificateIsNotKept) =
            data is not null ? (CertificateFile.Keep(data.CertificatePath, now), null)
            : options.CertificateFile is { } file ? CertificateFile.KeepIfPossible(file, now)
            : (SelfSignedCertificate.Create(now), null);
        _context.CertificatePem = Certificate.ExportCertificatePem();
        CertificateThumbprint = Certificate.GetCertHashString(HashAlgorithmName.SHA256);
    }

    public Uri HttpsEndpoint { get; private set; } = null!;

    public Uri HttpEndpoint { get; private set; } = null!;

    /// <summary>Base address of the control endpoint, such as <c>GET ledger</c>. It ends in a slash and cannot be guessed.</summary>
    public Uri ControlEndpoint { get; private set; } = null!;

    /// <summary>The account key, base64.</summary>
    public string Key { get; }

    /// <summary>
    /// The certificate for localhost, 127.0.0.1 and ::1. It is made at the start unless the data folder or the certificate's file has one.
    /// </summary>
    public X509Certificate2 Certificate { get; }

    /// <summary>Why the next start will have another certificate although a file for it was given; null if that file has it.</summary>
    public string? WhyCertificateIsNotKept { get; }

    /// <summary>SHA-256 of the certificate, 64 hexadecimal digits.</summary>
    public string CertificateThumbprint { get; }

    /// <summary>Completes when a client of the control endpoint asks the account to end. The host must then dispose the account.</summary>
    public Task ShutdownRequested => _shutdownRequested.Task;

    internal int OpenDirectConnections => _direct?.OpenConnections ?? 0;

    /// <exception cref="ArgumentException">An option is out of its range.</exception>
    /// <exception cref="AccountDataException">The data folder cannot be used, or holds something damaged.</exception>
    /// <exception cref="PortInUseException">A given port is taken.</exception>
    public static Task<SimulatedAccount> StartAsync(SimulatedAccountOptions options, CancellationToken cancellationToken = default) =>
        StartAsync(options, TimeProvider.System, cancellationToken);

    /// <summary>Starts an account on a given clock, which latency waits use, too.</summary>
    internal static async Task<SimulatedAccount> StartAsync(
        SimulatedAccountOptions options, TimeProvider time, CancellationToken cancellationToken)
    {
        var data = options.DataFolder is { } folder ? AccountData.Open(folder) : null;
        SimulatedAccount? account = null;
        try
        {
            account = new SimulatedAccount(options, ReadKey(options, data), time, data);
            data?.Load(account._context.Engine.Catalog);
            await account.ListenAsync(options, cancellationToken);
            return account;
        }
        catch
        {
            data?.Dispose();
            if (account is not null)
                await account.DisposeAsync();
            throw;
        }
    }

    /// <summary>Returns the operations of the account since its start.</summary>
    public AccountLedger ReadLedger() => _context.Engine.ReadLedger();

    /// <summary>Ends the account and writes what it holds to its data folder, if it has one.</summary>
    /// <exception cref="AccountDataException">The data could not be written. The folder still holds the previous data.</exception>
    public async Task StopAsync()
    {
        await CloseAsync();
        try
        {
            _data?.Save(_context.Engine.Catalog);
        }
        finally
        {
            _data?.Dispose();
        }
    }

    /// <summary>Ends the account without writing its data; <see cref="StopAsync"/> writes them.</summary>
    public async ValueTask DisposeAsync()
    {
        await CloseAsync();
        _data?.Dispose();
    }

    private async Task CloseAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        // Ends the simulated delays first, so that the servers do not wait for delayed responses.
        _context.Engine.Dispose();
        await Task.WhenAll(_servers.Select(server => server.DisposeAsync().AsTask()));
        if (_direct is not null)
            await _direct.DisposeAsync();
        Certificate.Dispose();
    }

    private static byte[] ReadKey(SimulatedAccountOptions options, AccountData? data)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.PhysicalPartitions ?? 1, 1, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.PhysicalPartitions ?? 1, 4_096, nameof(options));
        var key = options.Key is null ? RandomNumberGenerator.GetBytes(KeyBytes) : new byte[options.Key.Length];
        if (options.Key is not null)
        {
            key = Convert.TryFromBase64String(options.Key, key, out var length) && length > 0
                ? key[..length]
                : throw new ArgumentException("The account key is not base64.", nameof(options));
        }

        return data is null ? key : Convert.FromBase64String(data.KeepKey(options.Key, () => Convert.ToBase64String(key)));
    }

    private async Task ListenAsync(SimulatedAccountOptions options, CancellationToken cancellationToken)
    {
        _context.Replicas = _direct = new DirectServer(_context, Certificate);
        HttpsEndpoint = await ListenGatewayAsync(options.HttpsPort, Certificate, "HTTPS endpoint");
        HttpEndpoint = await ListenGatewayAsync(options.HttpPort, null, "HTTP endpoint");
        var prefix = $"/{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(16))}/";
        var control = await LoopbackWebServer.StartAsync(
            IPAddress.Loopback, options.ControlPort, "control endpoint",
            routes => routes.MapControl(prefix, _context.Engine, () => _shutdownRequested.TrySetResult()), cancellationToken);
        _servers.Add(control);
        ControlEndpoint = new Uri(control.Endpoint, prefix);

        async Task<Uri> ListenGatewayAsync(int port, X509Certificate2? certificate, string purpose)
        {
            var gateway = new GatewayServer(_context);
            var server = await LoopbackWebServer.StartAsync(
                options.Address, port, certificate, purpose, gateway.Listen, gateway, cancellationToken);
            _servers.Add(server);
            return server.Endpoint;
        }
    }
}

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

    /// <summary>The options for a run's simulation.</summary>
    public static SimulatedAccountOptions From(SimulationSpec simulation, int seed) => new(simulation) { Seed = seed };
}
