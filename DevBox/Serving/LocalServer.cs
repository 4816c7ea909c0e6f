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
            ProcessLog.Append(file, $"{logLevel}: {formatter(state, exception)}");
        else if (!LocalServer.IsPortTaken(exception))
            ErrorLines.WriteUnexpected(exception, file);
    }

    public void Dispose()
    {
    }
}

/// <summary>
/// Rejects requests that do not come from the server's own page or from programs of this machine. A page of any site can send requests to a
/// server on this machine through its visitor's browser: under another name that resolves to this address (DNS rebinding), or across
/// origins. The browser says so in headers that the page cannot change.
/// </summary>
internal sealed class OriginRule(RequestDelegate next)
{
    private static readonly string[] Names = ["localhost", "127.0.0.1", "[::1]"];

    public async Task InvokeAsync(HttpContext context)
    {
        context.Response.Headers["Cross-Origin-Resource-Policy"] = "same-origin";
        if (Rejection(context.Request, context.Connection.LocalPort) is { } reason)
            await Problems.Forbidden(context, reason).ExecuteAsync(context);
        else
            await next(context);
    }

    /// <summary>Why a request is rejected; null when it is not.</summary>
    public static string? Rejection(HttpRequest request, int port)
    {
        var own = Names.Select(name => $"{name}:{port.ToString(CultureInfo.InvariantCulture)}").ToList();
        if (port == 80)
            own.AddRange(Names);
        var host = request.Headers.Host.ToString();
        if (!own.Contains(host, StringComparer.OrdinalIgnoreCase))
            return $"This server accepts requests to {own[0]} and {own[1]} only.";
        if (HttpMethods.IsGet(request.Method) || HttpMethods.IsHead(request.Method))
            return null;

        var origin = request.Headers.Origin;
        if (origin.Count > 0 && (origin.Count > 1 || !string.Equals(origin[0], $"http://{host}", StringComparison.OrdinalIgnoreCase)))
            return "A page of another origin can neither start nor stop runs.";
        var site = request.Headers["Sec-Fetch-Site"];
        return site.Count > 0 && site.ToString() is not ("same-origin" or "none")
            ? "A page of another site can neither start nor stop runs."
            : null;
    }
}
