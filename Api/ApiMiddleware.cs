using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using ScaleOut.Api.Responses;

namespace ScaleOut.Api;

/// <summary>Sets the security headers of every response, and turns an exception that no handler expected into a problem that does not name its cause.</summary>
public sealed partial class ApiMiddleware(RequestDelegate next, ILogger<ApiMiddleware> logger)
{
    /// <summary>Handles a request.</summary>
    public async Task InvokeAsync(HttpContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
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
