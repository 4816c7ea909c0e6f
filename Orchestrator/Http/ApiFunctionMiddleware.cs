using Grpc.Core;
using Microsoft.Azure.Functions.Worker;
using Microsoft.Azure.Functions.Worker.Middleware;
using ScaleOut.Api.Responses;
using ScaleOut.Evidence;

namespace ScaleOut.Orchestrator.Http;

/// <summary>
/// The <see cref="ApiMiddleware"/> of the Function App. Without it, the Functions host would respond to an exception without a body.
/// </summary>
internal sealed class ApiFunctionMiddleware(ILogger<ApiFunctionMiddleware> logger) : IFunctionsWorkerMiddleware
{
    public async Task Invoke(FunctionContext context, FunctionExecutionDelegate next)
    {
        if (context.GetHttpContext() is not { } http)
        {
            await next(context);
            return;
        }

        ApiEndpoints.SetSecurityHeaders(http.Response);
        try
        {
            await next(context);
        }
        catch (Exception e) when (!http.RequestAborted.IsCancellationRequested)
        {
            // A client that sends an invalid or incomplete request is told so; nothing here is wrong.
            if (e is EvidenceException)
                logger.ItemUnusable(http.Request.Method, http.Request.Path, e.Message);
            else if (e is not BadHttpRequestException)
                logger.RequestFailed(e, http.Request.Method, http.Request.Path);
            context.GetInvocationResult().Value = ProblemOf(http, e);
        }
    }

    /// <summary>
    /// Returns a problem response that names the service that failed. A request uses one Azure client (blobs) and one gRPC client (the
    /// engine), so the exception's type identifies the service.
    /// </summary>
    private static IResult ProblemOf(HttpContext http, Exception error) => error switch
    {
        BadHttpRequestException invalid => Problems.Unreadable(http, invalid.StatusCode),
        RpcException rpc => Problems.Unavailable(http, "engine of orchestrations", $"it responded with {rpc.StatusCode}"),
        _ when StorageErrors.WhyUnavailable(error) is { } reason => Problems.Unavailable(http, "run store", reason),
        _ => Problems.From(http, error),
    };
}

/// <summary>Reads the id of a request, and checks its method.</summary>
internal static class HttpRequests
{
    public static bool IsRead(this HttpRequest request) => HttpMethods.IsGet(request.Method) || HttpMethods.IsHead(request.Method);

    /// <summary>The id in the request's path.</summary>
    public static string Id(this HttpRequest request) => request.RouteValues["id"] as string ?? "";

    /// <summary>Handles POST to a collection. Another function handles GET and HEAD.</summary>
    public static Task<IResult> StartAsync(this HttpRequest request, Func<HttpContext, Task<IResult>> handle) =>
        HandleAsync(request, HttpMethods.IsPost(request.Method), handle, "GET, HEAD, POST");

    /// <summary>Handles GET and HEAD.</summary>
    public static Task<IResult> ReadAsync(this HttpRequest request, Func<HttpContext, Task<IResult>> handle) =>
        HandleAsync(request, request.IsRead(), handle, "GET, HEAD");

    public static Task<IResult> PostAsync(this HttpRequest request, Func<HttpContext, Task<IResult>> handle) =>
        HandleAsync(request, HttpMethods.IsPost(request.Method), handle, "POST");

    private static Task<IResult> HandleAsync(HttpRequest request, bool allowed, Func<HttpContext, Task<IResult>> handle, string methods) =>
        allowed ? handle(request.HttpContext) : Task.FromResult(Problems.MethodNotAllowed(request.HttpContext, methods));
}
