using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection.Extensions;
using ScaleOut.DevBox.Dashboard;

namespace ScaleOut.DevBox.Serving;

/// <summary>The HTTP interface and the page on one port of 127.0.0.1, for this machine alone.</summary>
internal sealed class LocalServer(WebApplication application) : IAsyncDisposable
{
    /// <summary>Such as <c>http://127.0.0.1:5080/</c>.</summary>
    public Uri Address => new(application.Urls.Single());

    /// <param name="port">0 for a free one.</param>
    /// <param name="configure">Adds the hosts, the run store, its catalog, the rules and logging.</param>
    /// <exception cref="InputException">The port is taken.</exception>
    public static async Task<LocalServer> StartAsync(int port, Action<IServiceCollection> configure, CancellationToken cancellationToken)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(options =>
        {
            options.AddServerHeader = false;
            // The handlers have a limit of their own, and their response explains it.
            options.Limits.MaxRequestBodySize = null;
            options.Listen(IPAddress.Loopback, port, listen => listen.Protocols = HttpProtocols.Http1);
        });
        builder.Services.AddLogging().AddRoutingCore().AddScaleOutApi();
        configure(builder.Services);
        builder.Services.TryAddSingleton(TimeProvider.System);

        var application = builder.Build();
        application.UseMiddleware<ApiMiddleware>();
        application.UseMiddleware<OriginRule>();
        application.UseRoutingProblems();
        application.UsePage();
        application.UseRouting();
        application.MapScaleOutApi();
        application.MapSize();
        try
        {
            await application.StartAsync(cancellationToken);
        }
        catch (IOException e) when (IsPortTaken(e))
        {
            await application.DisposeAsync();
            throw new InputException($"--port: port {port} on 127.0.0.1 is in use by another process.");
        }

        return new LocalServer(application);
    }

    /// <summary>Whether an error says that another process listens on the port. The caller of the start reports it.</summary>
    public static bool IsPortTaken(Exception error) =>
        error.InnerException is AddressInUseException or SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse };

    public async ValueTask DisposeAsync()
    {
        // Aborts connections that are still open after this time.
        using var now = new CancellationTokenSource(TimeSpan.FromMilliseconds(500));
        await application.StopAsync(now.Token);
        await application.DisposeAsync();
    }
}
