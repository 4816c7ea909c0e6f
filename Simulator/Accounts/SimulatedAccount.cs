using Microsoft.Azure.Cosmos;
using ScaleOut.Simulator.Direct;
using ScaleOut.Simulator.Gateway;

namespace ScaleOut.Simulator.Accounts;

/// <summary>
/// A Cosmos DB account (API for NoSQL) in memory, for the unmodified SDKs. It has a key, a certificate and free ports of its own, so that
/// several can be in one process.
/// </summary>
/// <example>
/// <code>
/// await using var account = await SimulatedAccount.StartAsync();
/// var client = account.CreateClient();
/// </code>
/// </example>
public sealed class SimulatedAccount : IAsyncDisposable
{
    private const int KeyBytes = 64;

    /// <summary>Ports for document partitions in Direct, at most; one more is for the databases.</summary>
    internal const int MaxDirectPorts = DirectServer.MaxPorts;

    private readonly AccountContext _context;
    private readonly List<LoopbackWebServer> _servers = [];
    private readonly ConcurrentBag<IDisposable> _clients = [];
    private DirectServer? _direct;
    private readonly TaskCompletionSource _shutdownRequested = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly AccountData? _data;
    private readonly Lock _ending = new();
    private Task? _ended;
    private bool _saves;

    private SimulatedAccount(AccountSettings settings, byte[] key, TimeProvider time, AccountData? data)
    {
        _data = data;
        Key = Convert.ToBase64String(key);
        if (settings.KeyFile is { } keyFile && !File.Exists(keyFile))
            DurableFile.Write(keyFile, Encoding.ASCII.GetBytes(Key), DurableFile.OwnerOnly);
        // Clients validate the certificate against the system clock, not against the account's clock.
        var now = TimeProvider.System.GetUtcNow();
        (Certificate, WhyCertificateIsNotKept) =
            data is not null ? (CertificateFile.Keep(data.CertificatePath, now), null)
            : settings.CertificateFile is { } file ? CertificateFile.KeepIfPossible(file, now)
            : (SelfSignedCertificate.Create(now), null);
        var engine = new AccountEngine(settings, settings.Seed, time, settings.Logger, settings.Throughput);
        _context = new AccountContext(engine, key, settings.Logger) { AcceptsAnyToken = settings.AcceptsAnyToken };
        _context.CertificatePem = Certificate.ExportCertificatePem();
        CertificateThumbprint = Certificate.GetCertHashString(HashAlgorithmName.SHA256);
    }

    /// <summary>For clients that accept <see cref="Certificate"/>, of Gateway and Direct.</summary>
    public Uri HttpsEndpoint { get; private set; } = null!;

    /// <summary>For Gateway clients without a certificate.</summary>
    public Uri HttpEndpoint { get; private set; } = null!;

    /// <summary>
    /// Base address of <c>GET ledger</c>, which returns the account's counts as JSON, and of <c>POST split</c> and <c>POST merge</c>, which
    /// change the physical partitions of a container. It ends in a slash and cannot be guessed.
    /// </summary>
    public Uri ControlEndpoint { get; private set; } = null!;

    /// <summary>The account key, base64.</summary>
    public string Key { get; }

    /// <summary>
    /// For clients of either mode, also of <see cref="CosmosClient"/>'s constructor. It tells the .NET SDK to accept any certificate.
    /// </summary>
    public string ConnectionString =>
        $"AccountEndpoint={HttpsEndpoint.AbsoluteUri};AccountKey={Key};DisableServerCertificateValidation=True;";

    /// <summary>
    /// The certificate for localhost, 127.0.0.1 and ::1. It is made at the start unless the data folder or the certificate's file has one.
    /// </summary>
    public X509Certificate2 Certificate { get; }

    /// <summary>Why the next start will have another certificate although a file for it was given; null if that file has it.</summary>
    internal string? WhyCertificateIsNotKept { get; }

    /// <summary>SHA-256 of the certificate, 64 hexadecimal digits.</summary>
    internal string CertificateThumbprint { get; }

    /// <summary>Completes when a client of the control endpoint asks the account to end. The host must then dispose the account.</summary>
    internal Task ShutdownRequested => _shutdownRequested.Task;

    internal int OpenDirectConnections => _direct?.OpenConnections ?? 0;

    /// <summary>Starts an account. It accepts requests when this returns.</summary>
    /// <param name="options">Null for the defaults.</param>
    /// <exception cref="ArgumentException">Options are not valid; the message names each of them.</exception>
    /// <exception cref="IOException">The data folder cannot be used, or holds something damaged.</exception>
    public static Task<SimulatedAccount> StartAsync(
        SimulatedAccountOptions? options = null, CancellationToken cancellationToken = default)
    {
        var settings = (options ?? new SimulatedAccountOptions()).ToSettings();
        // Without the caller's synchronization context, which a test runner may have: what the account awaits does not wait for tests.
        return Task.Run(() => StartAsync(settings, cancellationToken), cancellationToken);
    }

    /// <exception cref="ArgumentException">Settings are not valid; the message names each of them.</exception>
    /// <exception cref="AccountDataException">The data folder cannot be used, or holds something damaged.</exception>
    /// <exception cref="PortInUseException">A given port is taken.</exception>
    internal static Task<SimulatedAccount> StartAsync(AccountSettings settings, CancellationToken cancellationToken = default) =>
        StartAsync(settings, TimeProvider.System, cancellationToken);

    /// <summary>Starts an account on a given clock, which latency waits use, too.</summary>
    internal static async Task<SimulatedAccount> StartAsync(
        AccountSettings settings, TimeProvider time, CancellationToken cancellationToken)
    {
        if (settings.Errors().ToList() is { Count: > 0 } errors)
            throw new ArgumentException(string.Join(Environment.NewLine, errors), nameof(settings));
        var data = settings.DataFolder is { } folder ? AccountData.Open(folder) : null;
        SimulatedAccount? account = null;
        try
        {
            account = new SimulatedAccount(settings, ReadKey(settings, data), time, data);
            data?.Load(account._context.Engine.Catalog);
            await account.ListenAsync(settings, cancellationToken);
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

    /// <summary>
    /// Returns a client that accepts this account's certificate and no other. It is disposed with the account, if not before.
    /// </summary>
    /// <param name="configure">Changes the client's options, such as its mode: <c>options => options.ConnectionMode = ...</c></param>
    public CosmosClient CreateClient(Action<CosmosClientOptions>? configure = null)
    {
        var options = new CosmosClientOptions
        {
            ServerCertificateCustomValidationCallback =
                (certificate, _, _) => certificate.GetCertHashString(HashAlgorithmName.SHA256) == CertificateThumbprint,
        };
        configure?.Invoke(options);
        // A proxy of the environment cannot reach this machine's own address. The SDK takes none beside a factory.
        if (options.HttpClientFactory is null)
            options.WebProxy ??= new WebProxy();
        lock (_ending)
        {
            ObjectDisposedException.ThrowIf(_ended is not null, this);
            var client = new CosmosClient(HttpsEndpoint.AbsoluteUri, Key, options);
            _clients.Add(client);
            return client;
        }
    }

    /// <summary>Returns the operations of the account since its start.</summary>
    internal AccountLedger ReadLedger() => _context.Engine.ReadLedger();

    /// <summary>Ends the account and writes what it holds to its data folder, if it has one.</summary>
    /// <exception cref="IOException">The data could not be written. The folder still holds the previous data.</exception>
    /// <exception cref="ObjectDisposedException">The account was disposed before, so that nothing was written.</exception>
    public async Task StopAsync()
    {
        await EndAsync(save: true);
        ObjectDisposedException.ThrowIf(!_saves, this);
    }

    /// <summary>Ends the account without writing its data; <see cref="StopAsync"/> writes them.</summary>
    public async ValueTask DisposeAsync()
    {
        var ended = EndAsync(save: false);
        // What kept StopAsync from writing the data, it has thrown itself.
        await ended.ConfigureAwait(_saves ? ConfigureAwaitOptions.SuppressThrowing : ConfigureAwaitOptions.None);
    }

    /// <summary>Ends the account once. Later calls wait for that end.</summary>
    private Task EndAsync(bool save)
    {
        lock (_ending)
        {
            _saves |= save && _ended is null;
            return _ended ??= Task.Run(async () =>
            {
                try
                {
                    await CloseAsync();
                    if (save)
                        _data?.Save(_context.Engine.Catalog);
                }
                finally
                {
                    _data?.Dispose();
                }
            });
        }
    }

    private async Task CloseAsync()
    {
        foreach (var client in _clients)
            client.Dispose();
        // Ends the simulated delays first, so that the servers do not wait for delayed responses.
        _context.Engine.Dispose();
        await Task.WhenAll(_servers.Select(server => server.DisposeAsync().AsTask()));
        if (_direct is not null)
            await _direct.DisposeAsync();
        Certificate.Dispose();
    }

    private static byte[] ReadKey(AccountSettings settings, AccountData? data)
    {
        var key = settings.Key is { } given ? Convert.FromBase64String(given) : RandomNumberGenerator.GetBytes(KeyBytes);
        return data is null ? key : Convert.FromBase64String(data.KeepKey(settings.Key, () => Convert.ToBase64String(key)));
    }

    private async Task ListenAsync(AccountSettings settings, CancellationToken cancellationToken)
    {
        _context.Replicas = _direct = new DirectServer(_context, Certificate);
        HttpsEndpoint = await ListenGatewayAsync(settings.HttpsPort, Certificate, "HTTPS endpoint");
        HttpEndpoint = await ListenGatewayAsync(settings.HttpPort, null, "HTTP endpoint");
        var prefix = $"/{Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(16))}/";
        var control = await LoopbackWebServer.StartAsync(
            IPAddress.Loopback, settings.ControlPort, certificate: null, "control endpoint", static _ => { },
            (routes, _) =>
            {
                routes.MapControl(prefix, _context.Engine, () => _shutdownRequested.TrySetResult());
                return routes.StartAsync(cancellationToken);
            });
        _servers.Add(control);
        ControlEndpoint = new Uri(control.Endpoint, prefix);

        async Task<Uri> ListenGatewayAsync(int port, X509Certificate2? certificate, string purpose)
        {
            var gateway = new GatewayServer(_context);
            var server = await LoopbackWebServer.StartAsync(
                settings.Address, port, certificate, purpose, gateway.Listen,
                (_, server) => server.StartAsync(gateway, cancellationToken));
            _servers.Add(server);
            return server.Endpoint;
        }
    }
}
