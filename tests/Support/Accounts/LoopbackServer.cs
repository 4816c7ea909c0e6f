using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>An HTTP or HTTPS server on a free loopback port whose handler responds to every request.</summary>
internal sealed class LoopbackServer : IAsyncDisposable
{
    private readonly WebApplication _app;

    private LoopbackServer(WebApplication app, Uri endpoint)
    {
        _app = app;
        Endpoint = endpoint;
    }

    public Uri Endpoint { get; }

    public static async Task<LoopbackServer> StartAsync(RequestDelegate handler, X509Certificate2? certificate = null)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, listen =>
        {
            if (certificate is not null)
                listen.UseHttps(certificate);
        }));
        var app = builder.Build();
        app.Run(handler);
        await app.StartAsync(TestContext.Current.CancellationToken);
        var address = new Uri(
            app.Services.GetRequiredService<IServer>().Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.Single());
        return new LoopbackServer(app, new Uri($"{address.Scheme}://localhost:{address.Port}/"));
    }

    public ValueTask DisposeAsync() => _app.DisposeAsync();
}
