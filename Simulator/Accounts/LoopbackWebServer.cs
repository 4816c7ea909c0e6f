using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace ScaleOut.Simulator.Accounts;

/// <summary>A port that was chosen for the account is taken.</summary>
internal sealed class PortInUseException(IPAddress address, int port, string purpose)
    : IOException($"Port {port} on {address}, asked for the simulated account's {purpose}, is in use by another process.")
{
    public int Port { get; } = port;
}

internal sealed class LoopbackWebServer : IAsyncDisposable
{
    /// <summary>Longest time for a TLS handshake, and for the headers of a request.</summary>
    private static readonly TimeSpan MaxHandshake = TimeSpan.FromMinutes(2);

    private readonly WebApplication _app;
    private readonly IServer _server;

    private LoopbackWebServer(WebApplication app, IServer server)
    {
        _app = app;
        _server = server;
        var listened = new UriBuilder(server.Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.Single());
        // A client cannot connect to a wildcard address.
        if (IPAddress.TryParse(listened.Host.Trim('[', ']'), out var address)
            && (address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any)))
            listened.Host = IPAddress.Loopback.ToString();
        Endpoint = listened.Uri;
    }

    public Uri Endpoint { get; }

    public async ValueTask DisposeAsync()
    {
        // Aborts connections that are still open after 500 ms.
        using var now = new CancellationTokenSource(TimeSpan.FromMilliseconds(500));
        await _server.StopAsync(now.Token);
        await _app.DisposeAsync();
    }

    /// <param name="port">0 for any free port.</param>
    /// <param name="certificate">Null for HTTP without TLS.</param>
    /// <param name="listen">Adds middleware to each connection.</param>
    /// <param name="start">Starts the application with the web host's pipeline, or the server with another application.</param>
    /// <exception cref="PortInUseException">Another process listens on the port.</exception>
    public static async Task<LoopbackWebServer> StartAsync(
        IPAddress address, int port, X509Certificate2? certificate, string purpose, Action<ListenOptions> listen,
        Func<WebApplication, IServer, Task> start)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Services.AddRoutingCore();
        builder.Services.AddSingleton<IHostLifetime, NoOpHostLifetime>();
        builder.WebHost.UseKestrelCore().UseKestrelHttpsConfiguration().UseSockets(sockets =>
        {
            // No request handler blocks, so continuations run inline on the I/O thread, and a receive does not wait for data before it
            // allocates its buffer. Both settings save system calls and context switches for each request. They cost a buffer of 4 KB for
            // each idle connection.
            sockets.UnsafePreferInlineScheduling = true;
            sockets.WaitForDataBeforeAllocatingBuffer = false;
        });
        builder.WebHost.ConfigureKestrel(options =>
        {
            options.AddServerHeader = false;
            options.Limits.MaxConcurrentConnections = null;
            // Load generators open connections in bursts and leave them idle between legs.
            options.Limits.KeepAliveTimeout = TimeSpan.FromMinutes(10);
            // On a busy machine clients are slow: the defaults of 10 s for a handshake and 30 s for headers are too short.
            options.Limits.RequestHeadersTimeout = MaxHandshake;
            options.Limits.MinRequestBodyDataRate = null;
            options.Limits.MinResponseDataRate = null;
            options.Listen(address, port, endpoint =>
            {
                endpoint.Protocols = HttpProtocols.Http1;
                if (certificate is not null)
                    endpoint.UseHttps(certificate, https =>
                    {
                        https.SslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13;
                        https.HandshakeTimeout = MaxHandshake;
                    });
                listen(endpoint);
            });
        });
        var app = builder.Build();
        var server = app.Services.GetRequiredService<IServer>();
        try
        {
            await start(app, server);
            return new LoopbackWebServer(app, server);
        }
        catch (Exception e)
        {
            await app.DisposeAsync();
            if (e is IOException
                { InnerException: AddressInUseException or SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse } })
                throw new PortInUseException(address, port, purpose);
            throw;
        }
    }

    /// <summary>The account ends with the process that hosts it, which handles the signals itself.</summary>
    private sealed class NoOpHostLifetime : IHostLifetime
    {
        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
