using Microsoft.AspNetCore.Routing;

namespace ScaleOut.DevBox.Serving;

/// <summary>Sizes fleets, as the command <c>size</c> does: reads a request and simulates its fleets.</summary>
/// <param name="question">The options of <c>size</c> by their names in camel case.</param>
/// <param name="measureAsync">
/// Makes a run that measures the CPU of an operation on this machine. Used if neither an option nor a report gives it.
/// </param>
/// <returns>The result, or all errors of the request, by field.</returns>
internal delegate Task<ReadResult<SizeOutcome>> SizeResponder(
    JsonObject question, Func<RunSpec, Task<RunReport>> measureAsync, CancellationToken cancellationToken);

/// <summary>The response to a question of size.</summary>
/// <param name="RunSpec">Spec of a run of the fleet that was found; null if none was found.</param>
internal sealed record SizeOutcome(SizeResult Result, JsonObject? RunSpec);

/// <summary>
/// Sizes fleets over HTTP. The last results are kept in memory, for their pages. A measurement of this machine waits in the queue, as runs
/// do.
/// </summary>
internal sealed class SizeHandlers(SizeResponder respondAsync, WorkQueue queue)
{
    private const string What = "question";
    private const int MaxKept = 20;

    private static readonly string[] Formats = ["json", "html", "md"];

    private readonly Lock _gate = new();
    private readonly List<(string Id, SizeOutcome Outcome)> _kept = [];

    public const string Route = "size";

    /// <summary>POST size: asks a question, and responds when it is computed.</summary>
    public async Task<IResult> AskAsync(HttpContext context)
    {
        var (text, problem) = await RequestBody.ReadJsonAsync(context, What);
        if (problem is not null)
            return problem;
        var reading = new ReadingContext();
        var parsed = SpecJson.Parse(text!, reading);
        if (reading.Errors.Count > 0)
            return Problems.InvalidSpec(context, What, reading.Errors);
        if (parsed is not JsonObject question)
            return Problems.InvalidSpec(context, What, [new("", "is not a JSON object")]);
        try
        {
            var (outcome, errors) = await respondAsync(
                question, spec => MeasureAsync(spec, context.RequestAborted), context.RequestAborted);
            if (outcome is null)
                return Problems.InvalidSpec(context, What, errors);
            var id = Keep(outcome);
            var uri = $"/{ApiRoutes.Prefix}/{Route}/{id}";
            context.Response.Headers.Location = uri;
            return TypedResults.Json(new SizeResponse(id, uri, outcome.Result, outcome.RunSpec), ScaleOutJson.Compact);
        }
        catch (QueueFullException e)
        {
            return Problems.Full(context, e.Message);
        }
    }

    /// <summary>GET size/{id}: one of the last results, in the form that the request asks for.</summary>
    public IResult Read(HttpContext context, string id)
    {
        if (Find(id) is not { } outcome)
            return Problems.Unknown(context, "result, or not any more; ask again");
        switch (context.Request.Query["format"].FirstOrDefault() ?? Formats[0])
        {
            case "html":
                context.Response.Headers.ContentSecurityPolicy = ApiEndpoints.ReportPolicy;
                return TypedResults.Text(SizePage.From(outcome.Result).ToHtml(), "text/html", Encoding.UTF8);
            case "md":
                return TypedResults.Text(SizePage.From(outcome.Result).ToMarkdown(), "text/markdown", Encoding.UTF8);
            case "json":
                return TypedResults.Json(outcome.Result, ScaleOutJson.Compact);
            case var format:
                return Problems.InvalidParameter(
                    context, "format", $"{ErrorText.Quote(format)} is not one of {string.Join(", ", Formats)}");
        }
    }

    private async Task<RunReport> MeasureAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        if (queue.Has(work => work is not MeasuringWork))
            throw new InputException(
                "--cpu-per-operation",
                "a run is under way or waits, and what an operation costs cannot be measured beside it. State it, or ask again when the "
                    + "run has ended.");
        var work = new MeasuringWork(ended => MeasuringRun.RunAsync(spec, ended));
        using (await queue.EnterStartAsync(cancellationToken))
        {
            if (queue.WhyFull is { } full)
                throw new QueueFullException(full);
            queue.Add(work);
        }

        await using var aborted = cancellationToken.Register(work.Stop);
        return await work.Report.WaitAsync(cancellationToken);
    }

    private string Keep(SizeOutcome outcome)
    {
        var id = $"s{RunIds.New(TimeProvider.System.GetUtcNow())[1..]}";
        lock (_gate)
        {
            _kept.Add((id, outcome));
            if (_kept.Count > MaxKept)
                _kept.RemoveAt(0);
        }

        return id;
    }

    private SizeOutcome? Find(string id)
    {
        lock (_gate)
            return _kept.Find(one => one.Id == id).Outcome;
    }
}

/// <summary>Carries the reason out of <see cref="SizeResponder"/>; never leaves <see cref="SizeHandlers"/>.</summary>
internal sealed class QueueFullException(string why) : Exception(why);

/// <param name="ReportUri">The result as a page, with <c>?format=html</c> or <c>md</c>.</param>
/// <param name="Spec">Spec of a run of the fleet that was found; null if none was found.</param>
internal sealed record SizeResponse(string Id, string ReportUri, SizeResult Result, JsonObject? Spec);

/// <summary>A measurement of this machine, as work for the queue.</summary>
internal sealed class MeasuringWork(Func<CancellationToken, Task<RunReport>> measureAsync) : IHostedWork
{
    private readonly TaskCompletionSource<RunReport> _report = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _ended = new();

    public string Id { get; } = $"size:{Guid.NewGuid():N}";

    public Task<RunReport> Report => _report.Task;

    public async Task RunAsync()
    {
        try
        {
            _ended.Token.ThrowIfCancellationRequested();
            _report.TrySetResult(await measureAsync(_ended.Token));
        }
        catch (Exception e)
        {
            _report.TrySetException(e);
        }
    }

    public Task GiveUpAsync()
    {
        _report.TrySetException(new InputException("The measurement was stopped before it began."));
        return Task.CompletedTask;
    }

    public void Stop() => _ended.Cancel();

    public void Kill() => Stop();

    public void Dispose()
    {
        // The token source is not disposed, because a request that ends late may still call Stop.
    }
}

internal static class SizeRoutes
{
    public static void MapSize(this IEndpointRouteBuilder endpoints)
    {
        const string Collection = $"{ApiRoutes.Prefix}/{SizeHandlers.Route}";
        endpoints.MapPost(
            Collection, (HttpContext context, IServiceProvider services) => HandlersIn(services).AskAsync(context));
        endpoints.MapMethods(
            Collection + "/{id}", [HttpMethods.Get, HttpMethods.Head],
            (HttpContext context, IServiceProvider services, string id) => HandlersIn(services).Read(context, id));
    }

    private static SizeHandlers HandlersIn(IServiceProvider services) => services.GetRequiredService<SizeHandlers>();
}
