using Microsoft.AspNetCore.Mvc;
using ScaleOut.Http;

namespace ScaleOut.Orchestrator.Http;

/// <summary>Sends an answer of the interface as it is.</summary>
internal sealed class HttpAnswerResult(HttpAnswer answer) : IActionResult
{
    public async Task ExecuteResultAsync(ActionContext context)
    {
        var response = context.HttpContext.Response;
        response.StatusCode = answer.Status;
        foreach (var (name, value) in answer.Headers)
            response.Headers[name] = value;
        if (answer.ContentType is not null)
            response.ContentType = answer.ContentType;
        if (answer.Body.Length > 0)
            await response.Body.WriteAsync(answer.Body, context.HttpContext.RequestAborted);
    }
}
