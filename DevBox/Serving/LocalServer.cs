using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using ScaleOut.Api;
using ScaleOut.DevBox.Dashboard;

namespace ScaleOut.DevBox.Serving;

/// <summary>The HTTP interface and the page on one port of 127.0.0.1, for this machine alone.</summary>
internal sealed class LocalServer : IAsyncDisposable
{
    private readonly WebApplication _application;

    private LocalServer(WebApplication application, Uri address)
    {
        _application = application;
        Address = address;
    }

    /// <summary>Such as <c>http://127.0.0.1:5080/</c>.</summary>
    public Uri Address { get; }

    /// <summary>Starts it.</summary>
    /// <param name="port">0 for a free one.</param>
    /// <param name="configure">Adds the hosts, the run store, its catalog, the rules and logging.</param>
    /// <exception cref="InputException">The port is taken.</exception>
    public static async Task<LocalServer> StartAsync(int port, Action<IServiceCollection> configure, CancellationToken cancellationToken)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(options =>
        {
            options.AddServerHeader = false;
            // The handlers have a limit of their own, and a response that says so.
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
        catch (IOException e) when (
            e.InnerException is AddressInUseException or SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse })
        {
            await application.DisposeAsync();
            throw new InputException($"--port: port {port} on 127.0.0.1 is in use by another process.");
        }

        var address =
            application.Services.GetRequiredService<IServer>().Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.Single();
        return new LocalServer(application, new Uri(address));
    }

    public async ValueTask DisposeAsync()
    {
        // Connections that still wait are cut rather than waited for.
        using var now = new CancellationTokenSource(TimeSpan.FromMilliseconds(500));
        await _application.StopAsync(now.Token);
        await _application.DisposeAsync();
    }
}

/// <summary>Writes what the server logs into a file; an error also gets its line on the console, which names the file.</summary>
internal sealed class ServerLog(string file) : ILoggerProvider, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel))
            return;
        if (exception is null)
            _ = ProcessLog.TryAppendAsync(file, $"{logLevel}: {formatter(state, exception)}");
        else
            ErrorLines.WriteUnexpected(exception, file);
    }

    public void Dispose()
    {
    }
}
