using Microsoft.Azure.Functions.Worker;
using Microsoft.Azure.Functions.Worker.Middleware;
using ScaleOut.Api.Responses;

namespace ScaleOut.Orchestrator.Http;

/// <summary><see cref="ApiMiddleware"/> for functions: the Functions host would respond to an exception without a body.</summary>
internal sealed partial class ApiFunctionMiddleware(ILogger<ApiFunctionMiddleware> logger) : IFunctionsWorkerMiddleware
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
            LogUnexpected(e, http.Request.Method, http.Request.Path);
            context.GetInvocationResult().Value = Problems.From(http, e);
        }
    }

    [LoggerMessage(Level = LogLevel.Error, Message = "{Method} {Path} failed.")]
    private partial void LogUnexpected(Exception exception, string method, PathString path);
}
