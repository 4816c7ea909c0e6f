using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace ScaleOut.Bench.AccountCpu;

/// <summary>
/// A bare Kestrel endpoint over TLS. It reads the body and responds 201 with headers that were recorded from the account.
/// </summary>
public static class BareEndpoint
{
    public const string Role = "bare-endpoint";

    public sealed record Settings(string Certificate, Dictionary<string, string> Headers);

    public static async Task ServeAsync(string json)
    {
        var settings = JsonSerializer.Deserialize<Settings>(json)!;
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        using var certificate = X509CertificateLoader.LoadPkcs12(Convert.FromBase64String(settings.Certificate), null);
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(options =>
        {
            options.AddServerHeader = false;
            options.ListenLocalhostWith(certificate);
        });
        await using var app = builder.Build();
        var headers = settings.Headers.ToArray();
        app.Run(async context =>
        {
            var body = context.Request.BodyReader;
            while (true)
            {
                var read = await body.ReadAsync(context.RequestAborted);
                body.AdvanceTo(read.Buffer.End);
                if (read.IsCompleted)
                    break;
            }

            context.Response.StatusCode = 201;
            foreach (var (name, value) in headers)
                context.Response.Headers[name] = value;
            context.Response.ContentLength = 0;
        });
        await app.StartAsync();
        var address = app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single();
        await ServerSide.ReportReadyAndWaitAsync(new Uri(address));
    }

    private static void ListenLocalhostWith(
        this Microsoft.AspNetCore.Server.Kestrel.Core.KestrelServerOptions options, X509Certificate2 certificate) =>
        options.Listen(System.Net.IPAddress.Loopback, 0, listen => listen.UseHttps(certificate));
}
