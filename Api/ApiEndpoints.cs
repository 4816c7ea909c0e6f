using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace ScaleOut.Api;

/// <summary>
/// The HTTP interface as endpoints of ASP.NET Core, for servers that have routing. The Function App declares the same
/// <see cref="ApiRoutes"/> as functions.
/// </summary>
public static class ApiEndpoints
{
    /// <summary>
    /// A report loads nothing and is shown in no other page, whatever its names hold. Its own policy says by their hashes which of its
    /// scripts run.
    /// </summary>
    public const string ReportPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'self'";

    private static readonly string[] Read = [HttpMethods.Get, HttpMethods.Head];

    /// <summary>Adds the handlers; the hosts, the run store, its catalog and the rules come from the server.</summary>
    public static IServiceCollection AddScaleOutApi(this IServiceCollection services) => services
        .AddSingleton<JobKind<RunSpec, RunStatus>, RunKind>()
        .AddSingleton<JobKind<ExperimentSpec, HostedExperiment>, ExperimentKind>()
        .AddSingleton(typeof(JobHandlers<,>))
        .AddSingleton<ComparisonHandlers>();

    /// <summary>Adds the endpoints of runs and experiments; the hosts and handlers come from the services.</summary>
    public static void MapScaleOutApi(this IEndpointRouteBuilder endpoints)
    {
        var api = endpoints.MapGroup(ApiRoutes.Prefix);
        MapJobs<RunSpec, RunStatus, IRunHost>(api, ApiRoutes.Runs);
        MapJobs<ExperimentSpec, HostedExperiment, IExperimentHost>(api, ApiRoutes.Experiments);
        api.MapMethods(
            ApiRoutes.Compare, Read, (HttpContext context, ComparisonHandlers handlers) => handlers.CompareAsync(context));
    }

    private static void MapJobs<TSpec, TStatus, THost>(RouteGroupBuilder api, string collection)
        where TSpec : class
        where TStatus : class, IJobStatus
        where THost : class, IJobHost<TSpec, TStatus>
    {
        api.MapPost(
            collection, (HttpContext context, JobHandlers<TSpec, TStatus> handlers, THost host) => handlers.StartAsync(context, host));
        api.MapMethods(
            collection,
            Read,
            (HttpContext context, JobHandlers<TSpec, TStatus> handlers, THost host) => handlers.ListAsync(context, host));
        var job = collection + ApiRoutes.Id;
        api.MapMethods(
            job,
            Read,
            (HttpContext context, JobHandlers<TSpec, TStatus> handlers, THost host, string id) => handlers.ReadAsync(context, host, id));
        api.MapMethods(
            job + ApiRoutes.Report,
            Read,
            (HttpContext context, JobHandlers<TSpec, TStatus> handlers, THost host, string id) => handlers.ReportAsync(context, host, id));
        api.MapPost(
            job + ApiRoutes.Stop,
            (HttpContext context, JobHandlers<TSpec, TStatus> handlers, THost host, string id) => handlers.StopAsync(context, host, id));
        api.MapPost(
            job + ApiRoutes.Resume,
            (HttpContext context, JobHandlers<TSpec, TStatus> handlers, THost host, string id) => handlers.ResumeAsync(context, host, id));
    }

    /// <summary>Adds a problem body to responses of routing that have none: 404 and 405.</summary>
    public static void UseRoutingProblems(this IApplicationBuilder application) => application.UseStatusCodePages(async statusCode =>
    {
        var context = statusCode.HttpContext;
        var problem = context.Response.StatusCode switch
        {
            StatusCodes.Status404NotFound => Problems.NoSuchPath(context),
            StatusCodes.Status405MethodNotAllowed => Problems.MethodNotAllowed(context, context.Response.Headers.Allow.ToString()),
            _ => null,
        };
        if (problem is not null)
            await problem.ExecuteAsync(context);
    });

    /// <summary>
    /// Sets the headers of every response, against clients that guess another type, keep it, or show it inside another page.
    /// </summary>
    public static void SetSecurityHeaders(HttpResponse response)
    {
        response.Headers.XContentTypeOptions = "nosniff";
        response.Headers.CacheControl = "no-store";
        response.Headers.ContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";
    }
}

/// <summary>
/// Sets the security headers of every response, and turns an exception that no handler expected into a problem that does not name its
/// cause.
/// </summary>
public sealed partial class ApiMiddleware(RequestDelegate next, ILogger<ApiMiddleware> logger)
{
    /// <summary>Handles a request.</summary>
    public async Task InvokeAsync(HttpContext context)
    {
        ApiEndpoints.SetSecurityHeaders(context.Response);
        try
        {
            await next(context);
        }
        catch (Exception e) when (context.RequestAborted.IsCancellationRequested || e is BadHttpRequestException)
        {
            // The client disconnected, or did not send what it had announced.
            LogAborted(e);
            context.Abort();
        }
        catch (Exception e) when (!context.Response.HasStarted)
        {
            LogUnexpected(e, context.Request.Method, context.Request.Path);
            await Problems.From(context, e).ExecuteAsync(context);
        }
    }

    [LoggerMessage(Level = LogLevel.Debug, Message = "A client aborted its request.")]
    private partial void LogAborted(Exception exception);

    [LoggerMessage(Level = LogLevel.Error, Message = "{Method} {Path} failed.")]
    private partial void LogUnexpected(Exception exception, string method, PathString path);
}
