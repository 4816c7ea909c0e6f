using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;

namespace ScaleOut.Simulator.Accounts;

/// <summary>A bare web server on one port of 127.0.0.1.</summary>
internal sealed class LoopbackServer : IAsyncDisposable
{
    private readonly WebApplication _host;
    private readonly IServer _server;

    private LoopbackServer(WebApplication host, IServer server, Uri endpoint)
    {
        _host = host;
        _server = server;
        Endpoint = endpoint;
    }

    public Uri Endpoint { get; }

    /// <exception cref="PortInUseException">Another process listens on the port.</exception>
    public static async Task<LoopbackServer> StartAsync<TContext>(IHttpApplication<TContext> application, int port, X509Certificate2? certificate, string purpose, CancellationToken cancellationToken)
        where TContext : notnull
    {
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(options =>
        {
            options.AddServerHeader = false;
            options.Limits.MaxConcurrentConnections = null;
            // Load generators open connections in bursts and leave them idle between legs.
            options.Limits.KeepAliveTimeout = TimeSpan.FromMinutes(10);
            options.Limits.MinRequestBodyDataRate = null;
            options.Limits.MinResponseDataRate = null;
            options.Listen(IPAddress.Loopback, port, listen =>
            {
                listen.Protocols = HttpProtocols.Http1;
                if (certificate is not null)
                    listen.UseHttps(certificate, https => https.SslProtocols = SslProtocols.Tls12 | SslProtocols.Tls13);
            });
        });
        WebApplication host = builder.Build();
        IServer server = host.Services.GetRequiredService<IServer>();
        try
        {
            await server.StartAsync(application, cancellationToken).ConfigureAwait(false);
        }
        catch (IOException e) when (e.InnerException is AddressInUseException or SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse })
        {
            await host.DisposeAsync().ConfigureAwait(false);
            throw new PortInUseException(port, purpose);
        }

        string address = server.Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.Single();
        return new LoopbackServer(host, server, new Uri(address));
    }

    public async ValueTask DisposeAsync()
    {
        // Connections that still wait are cut rather than waited for.
        using var now = new CancellationTokenSource(TimeSpan.FromMilliseconds(500));
        await _server.StopAsync(now.Token).ConfigureAwait(false);
        await _host.DisposeAsync().ConfigureAwait(false);
    }
}
