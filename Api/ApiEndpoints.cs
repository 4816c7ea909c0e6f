using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ScaleOut.Api;

/// <summary>
/// The HTTP interface as endpoints of ASP.NET Core, for servers that have routing. The Function App declares the same
/// <see cref="ApiRoutes"/> as functions.
/// </summary>
public static class ApiEndpoints
{
    /// <summary>
    /// Content-Security-Policy of reports, whatever text their names contain: a report loads nothing, and other sites cannot embed it. A
    /// report's own policy permits its scripts by their hashes.
    /// </summary>
    public const string ReportPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'self'";

    private static readonly string[] Read = [HttpMethods.Get, HttpMethods.Head];

    /// <summary>Adds the handlers. The server must add the hosts, the run store, the catalog and the <see cref="HostRules"/>.</summary>
    public static IServiceCollection AddScaleOutApi(this IServiceCollection services) => services
        .AddSingleton<JobKind<RunSpec, RunStatus>, RunKind>()
        .AddSingleton<JobKind<ExperimentSpec, HostedExperiment>, ExperimentKind>()
        .AddSingleton(typeof(JobHandlers<,>))
        .AddSingleton<ComparisonHandlers>();

    /// <summary>Adds the endpoints of runs, experiments and comparisons. Hosts and handlers are resolved from the services.</summary>
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

    /// <summary>Adds a problem body to the 404 and 405 responses of routing, which have none.</summary>
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
    /// Sets the headers of every response. They prevent clients from guessing another type, caching it, or embedding it in another page.
    /// </summary>
    public static void SetSecurityHeaders(HttpResponse response)
    {
        response.Headers.XContentTypeOptions = "nosniff";
        response.Headers.CacheControl = "no-store";
        response.Headers.ContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";
    }
}

/// <summary>
/// Sets the security headers of every response, and turns an unexpected exception into a problem response that does not show the cause.
/// </summary>
public sealed class ApiMiddleware(RequestDelegate next, ILogger<ApiMiddleware> logger)
{
    public async Task InvokeAsync(HttpContext context)
    {
        ApiEndpoints.SetSecurityHeaders(context.Response);
        try
        {
            await next(context);
        }
        catch (Exception e) when (context.RequestAborted.IsCancellationRequested || e is BadHttpRequestException)
        {
            // The client disconnected, or sent an invalid or incomplete request.
            logger.RequestAborted(e);
            context.Abort();
        }
        catch (Exception e) when (!context.Response.HasStarted)
        {
            if (e is EvidenceException)
                logger.ItemUnusable(context.Request.Method, context.Request.Path, e.Message);
            else
                logger.RequestFailed(e, context.Request.Method, context.Request.Path);
            await Problems.From(context, e).ExecuteAsync(context);
        }
    }
}

/// <summary>
/// The paths of the HTTP interface below <see cref="Prefix"/>. ASP.NET Core, the Function App's triggers and the links in responses use
/// them.
/// </summary>
public static class ApiRoutes
{
    /// <summary>First part of every path. <c>host.json</c> sets it for the Function App.</summary>
    public const string Prefix = "api";

    public const string Runs = "runs";
    public const string Run = Runs + Id;
    public const string RunReport = Run + Report;
    public const string StopRun = Run + Stop;
    public const string ResumeRun = Run + Resume;

    public const string Experiments = "experiments";
    public const string Experiment = Experiments + Id;
    public const string ExperimentReport = Experiment + Report;
    public const string StopExperiment = Experiment + Stop;
    public const string ResumeExperiment = Experiment + Resume;

    public const string Compare = "compare";

    internal const string Report = "/report";
    internal const string Stop = "/stop";
    internal const string Resume = "/resume";
    internal const string Id = "/{id}";
}
