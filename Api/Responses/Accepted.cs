using Microsoft.AspNetCore.Http;
using ScaleOut.Json;

namespace ScaleOut.Api.Responses;

/// <summary>Responses that runs and experiments have in common.</summary>
internal static class Accepted
{
    /// <summary>How long a client may wait before it asks again, in seconds.</summary>
    public const string RetryAfter = "2";

    /// <summary>202: it has begun, and where to look.</summary>
    public static IResult Create<T>(HttpContext context, T body, string statusUri)
    {
        context.Response.Headers.Location = statusUri;
        context.Response.Headers.RetryAfter = RetryAfter;
        return TypedResults.Json(body, ScaleOutJson.Compact, statusCode: 202);
    }

    /// <summary>200: how far it is, and when to ask again unless it has ended.</summary>
    public static IResult Status<T>(HttpContext context, T body, bool ended)
    {
        if (!ended)
            context.Response.Headers.RetryAfter = RetryAfter;
        return TypedResults.Json(body, ScaleOutJson.Compact);
    }
}
