using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.DurableTask.Client;
using Microsoft.Extensions.Logging;
using ScaleOut.Http;
using ScaleOut.Storage;
using ScaleOut.Workers.Hosting;

namespace ScaleOut.Orchestrator.Http;

/// <summary>The HTTP interface on requests of ASP.NET Core.</summary>
public sealed partial class RunInterface(IRunStore store, IRunCatalog catalog, HostSettings settings, TimeProvider time, ILogger<RunInterface> logger)
{
    /// <summary>Answers a request.</summary>
    public async Task<IActionResult> AnswerAsync(HttpRequest request, DurableTaskClient client, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        var host = new DurableRunHost(client, store, settings, time);
        var http = new HttpInterface(host, store, catalog, time, LogUnexpected, new DurableExperimentHost(client, store, time));
        return new HttpAnswerResult(await http.HandleAsync(CallOf(request), cancellationToken));
    }

    private static HttpCall CallOf(HttpRequest request) => new()
    {
        Method = request.Method,
        Path = request.Path.Value ?? "",
        BaseUri = new Uri($"{request.Scheme}://{request.Host.ToUriComponent()}/"),
        Query = request.Query.ToDictionary(parameter => parameter.Key, parameter => parameter.Value.FirstOrDefault() ?? ""),
        ContentType = request.ContentType,
        ContentLength = request.ContentLength,
        Body = request.Body,
    };

    [LoggerMessage(Level = LogLevel.Error, Message = "A request could not be answered.")]
    private partial void LogUnexpected(Exception exception);
}
