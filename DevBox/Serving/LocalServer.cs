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
using ScaleOut.Http;

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
    /// <param name="target">Answers what begins with <c>/api</c>.</param>
    /// <param name="port">0 for a free one.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="InputException">The port is taken.</exception>
    public static async Task<LocalServer> StartAsync(HttpInterface target, int port, CancellationToken cancellationToken)
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(options =>
        {
            options.AddServerHeader = false;
            // The interface has a limit of its own, and an answer that says so.
            options.Limits.MaxRequestBodySize = null;
            options.Listen(IPAddress.Loopback, port, listen => listen.Protocols = HttpProtocols.Http1);
        });
        var application = builder.Build();
        application.Run(context => ServeAsync(context, target));
        try
        {
            await application.StartAsync(cancellationToken);
        }
        catch (IOException e) when (e.InnerException is AddressInUseException or SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse })
        {
            await application.DisposeAsync();
            throw new InputException($"--port: port {port} on 127.0.0.1 is in use by another process.");
        }

        var address = application.Services.GetRequiredService<IServer>().Features.GetRequiredFeature<IServerAddressesFeature>().Addresses.Single();
        return new LocalServer(application, new Uri(address));
    }

    public async ValueTask DisposeAsync()
    {
        // Connections that still wait are cut rather than waited for.
        using var now = new CancellationTokenSource(TimeSpan.FromMilliseconds(500));
        await _application.StopAsync(now.Token);
        await _application.DisposeAsync();
    }

    private static async Task ServeAsync(HttpContext context, HttpInterface target)
    {
        var (request, response) = (context.Request, context.Response);
        response.Headers["Cross-Origin-Resource-Policy"] = "same-origin";
        var call = CallOf(request);
        try
        {
            var answer = OriginRule.Refusal(request, context.Connection.LocalPort) is { } refusal ? HttpInterface.Refuse(call, refusal)
                : Dashboard.Pages.Find(request.Method, request.Path) ?? await target.HandleAsync(call, context.RequestAborted);
            await SendAsync(answer, response, context.RequestAborted);
        }
        catch (Exception e) when (context.RequestAborted.IsCancellationRequested || e is Microsoft.AspNetCore.Http.BadHttpRequestException)
        {
            // The client went away, or did not send what it had announced.
            context.Abort();
        }
    }

    private static HttpCall CallOf(HttpRequest request) => new()
    {
        Method = request.Method,
        Path = request.Path.Value ?? "/",
        BaseUri = Uri.TryCreate($"http://{request.Headers.Host}/", UriKind.Absolute, out var address) ? address : new Uri("http://127.0.0.1/"),
        Query = request.Query.ToDictionary(pair => pair.Key, pair => pair.Value.FirstOrDefault() ?? ""),
        ContentType = request.ContentType,
        ContentLength = request.ContentLength,
        Body = request.Body,
    };

    private static async Task SendAsync(HttpAnswer answer, HttpResponse response, CancellationToken cancellationToken)
    {
        response.StatusCode = answer.Status;
        response.ContentType = answer.ContentType;
        foreach (var (name, value) in answer.Headers)
            response.Headers[name] = value;
        if (answer.Body.IsEmpty)
            return;
        response.ContentLength = answer.Body.Length;
        await response.Body.WriteAsync(answer.Body, cancellationToken);
    }
}
