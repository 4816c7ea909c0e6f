using System.IO.Compression;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace ScaleOut.Bench.Telemetry;

/// <summary>Receives and counts the records that a worker sends to Application Insights.</summary>
public static class IngestionServer
{
    public const string Role = "ingestion";

    public static Task<ServerProcess<Uri>> StartAsync() => ServerProcesses.StartAsync<Uri>(Role, "");

    /// <summary>Runs the server. It accepts records at <c>/v2/track</c> and gives their number at <c>/count</c>.</summary>
    public static async Task ServeAsync()
    {
        long records = 0;
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(options => options.Listen(System.Net.IPAddress.Loopback, 0));
        await using var app = builder.Build();
        app.MapGet("/count", () => Interlocked.Read(ref records));
        app.MapPost("/v2/track", async (HttpRequest request) =>
        {
            await using var unzipped = new GZipStream(request.Body, CompressionMode.Decompress);
            using var reader = new StreamReader(unzipped);
            var received = 0;
            while (await reader.ReadLineAsync() is { Length: > 0 })
                received++;
            Interlocked.Add(ref records, received);
            return Results.Text(
                JsonSerializer.Serialize(new { itemsReceived = received, itemsAccepted = received, errors = Array.Empty<object>() }),
                "application/json");
        });
        await app.StartAsync();
        var address = app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single();
        await ServerSide.ReportReadyAndWaitAsync(new Uri(address));
    }
}
