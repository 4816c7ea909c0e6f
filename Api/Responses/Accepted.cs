namespace ScaleOut.Api.Responses;

/// <summary>Successful responses that runs and experiments have in common.</summary>
internal static class Accepted
{
    /// <summary>202 with the address of the status.</summary>
    public static IResult Create<T>(HttpContext context, T body, string statusUri)
    {
        context.Response.Headers.Location = statusUri;
        RetryAfterHeader.Set(context);
        return TypedResults.Json(body, ScaleOutJson.Compact, statusCode: 202);
    }

    /// <summary>200 with a status. Unless the job has ended, the header Retry-After says when to ask again.</summary>
    public static IResult Status<T>(HttpContext context, T body, bool ended)
    {
        if (!ended)
            RetryAfterHeader.Set(context);
        return TypedResults.Json(body, ScaleOutJson.Compact);
    }
}

/// <summary>Addresses of a run or an experiment.</summary>
internal sealed record ResourceLinks(string StatusUri, string ReportUri, string StopUri)
{
    /// <param name="context">The request, whose scheme and host the addresses use.</param>
    /// <param name="collection">Path of the collection, such as <see cref="ApiRoutes.Runs"/>.</param>
    public static ResourceLinks Create(HttpContext context, string collection, string id)
    {
        var status = $"{CollectionUri(context, collection)}/{id}";
        return new ResourceLinks(status, status + ApiRoutes.Report, status + ApiRoutes.Stop);
    }

    /// <summary>Address of a collection, such as <c>http://127.0.0.1:5080/api/runs</c>.</summary>
    public static string CollectionUri(HttpContext context, string collection) =>
        $"{context.Request.Scheme}://{context.Request.Host.ToUriComponent()}/{ApiRoutes.Prefix}/{collection}";
}
