using ScaleOut.Simulator.Direct;
using ScaleOut.Simulator.Gateway;
using ScaleOut.Simulator.Persistence;

namespace ScaleOut.Simulator.Accounts;

/// <summary>A Cosmos DB account in memory for the unmodified SDK, on loopback only. Its key and certificate are its own.</summary>
public sealed class SimulatedAccount : IAsyncDisposable
{
    private const int KeyBytes = 64;

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
        _context = new AccountContext(new AccountEngine(options, options.Seed, time, options.Logger), key, options.Logger);
        DateTimeOffset now = DateTimeOffset.UtcNow;
        Certificate = data is null
            ? SelfSignedCertificate.Create(now) : data.KeepCertificate(now, () => SelfSignedCertificate.Create(now));
        _context.CertificatePem = Certificate.ExportCertificatePem();
        CertificateThumbprint = Certificate.GetCertHashString(HashAlgorithmName.SHA256);
    }

    public Uri HttpsEndpoint { get; private set; } = null!;

    public Uri HttpEndpoint { get; private set; } = null!;

    /// <summary>Base address of the control endpoint, such as <c>GET ledger</c>. It ends in a slash and cannot be guessed.</summary>
    public Uri ControlEndpoint { get; private set; } = null!;

    /// <summary>The account key, base64.</summary>
    public string Key { get; }

    /// <summary>For localhost, 127.0.0.1 and ::1; made at the start unless the data folder has one.</summary>
    public X509Certificate2 Certificate { get; }

    /// <summary>SHA-256 of the certificate, 64 hexadecimal digits.</summary>
    public string CertificateThumbprint { get; }

    /// <summary>Completes when a client of the control endpoint asks the account to end. Its host then disposes it.</summary>
    public Task ShutdownRequested => _shutdownRequested.Task;

    internal int OpenDirectConnections => _direct?.OpenConnections ?? 0;

    /// <exception cref="ArgumentException">An option is out of its range.</exception>
    /// <exception cref="AccountDataException">The data folder cannot be used, or holds something damaged.</exception>
    /// <exception cref="PortInUseException">A given port is taken.</exception>
    public static Task<SimulatedAccount> StartAsync(SimulatedAccountOptions options, CancellationToken cancellationToken = default) =>
        StartAsync(options, TimeProvider.System, cancellationToken);

    /// <summary>Starts on a given clock; latency waits stay on it too.</summary>
    internal static async Task<SimulatedAccount> StartAsync(
        SimulatedAccountOptions options, TimeProvider time, CancellationToken cancellationToken)
    {
        AccountData? data = options.DataFolder is { } folder ? AccountData.Open(folder) : null;
        SimulatedAccount? account = null;
        try
        {
            account = new SimulatedAccount(options, ReadKey(options, data), time, data);
            data?.Load(account._context.Engine.Catalog);
            await account.ListenAsync(options, cancellationToken).ConfigureAwait(false);
            return account;
        }
        catch
        {
            data?.Dispose();
            if (account is not null)
                await account.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>What the account did so far.</summary>
    public AccountLedger ReadLedger() => _context.Engine.ReadLedger();

    /// <summary>Ends the account and writes what it holds to its data folder, if it has one.</summary>
    /// <exception cref="AccountDataException">The data could not be written; the folder holds what it held before.</exception>
    public async Task StopAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        try
        {
            _data?.Save(_context.Engine.Catalog);
        }
        finally
        {
            _data?.Dispose();
        }
    }

    /// <summary>Ends the account without writing anything; <see cref="StopAsync"/> does.</summary>
    public async ValueTask DisposeAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        _data?.Dispose();
    }

    private async Task CloseAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        // Ends waits first, so that no server waits for responses that are only delayed.
        _context.Engine.Dispose();
        await Task.WhenAll(_servers.Select(server => server.DisposeAsync().AsTask())).ConfigureAwait(false);
        if (_direct is not null)
            await _direct.DisposeAsync().ConfigureAwait(false);
        Certificate.Dispose();
    }

    private static byte[] ReadKey(SimulatedAccountOptions options, AccountData? data)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.PhysicalPartitions ?? 1, 1, nameof(options));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.PhysicalPartitions ?? 1, 4_096, nameof(options));
        byte[] key = options.Key is null ? RandomNumberGenerator.GetBytes(KeyBytes) : new byte[options.Key.Length];
        if (options.Key is not null)
        {
            key = Convert.TryFromBase64String(options.Key, key, out int length) && length > 0
                ? key[..length]
                : throw new ArgumentException("The account key is not base64.", nameof(options));
        }

        return data is null ? key : Convert.FromBase64String(data.KeepKey(options.Key, () => Convert.ToBase64String(key)));
    }

    private async Task ListenAsync(SimulatedAccountOptions options, CancellationToken cancellationToken)
    {
        _context.Replicas = _direct = new DirectServer(_context, Certificate);
        HttpsEndpoint = await ListenGatewayAsync(options.HttpsPort, Certificate, "HTTPS endpoint").ConfigureAwait(false);
        HttpEndpoint = await ListenGatewayAsync(options.HttpPort, null, "HTTP endpoint").ConfigureAwait(false);
        string prefix = $"/{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(16))}/";
        LoopbackWebServer control = await LoopbackWebServer.StartAsync(
            IPAddress.Loopback, options.ControlPort, "control endpoint",
            routes => routes.MapControl(prefix, _context.Engine, () => _shutdownRequested.TrySetResult()), cancellationToken)
            .ConfigureAwait(false);
        _servers.Add(control);
        ControlEndpoint = new Uri(control.Endpoint, prefix);

        async Task<Uri> ListenGatewayAsync(int port, X509Certificate2? certificate, string purpose)
        {
            var gateway = new GatewayServer(_context);
            LoopbackWebServer server = await LoopbackWebServer.StartAsync(
                options.Address, port, certificate, purpose, gateway.Listen, gateway, cancellationToken)
                .ConfigureAwait(false);
            _servers.Add(server);
            return server.Endpoint;
        }
    }
}
