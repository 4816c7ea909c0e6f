using Microsoft.AspNetCore.Http;

namespace ScaleOut.Api.Responses;

/// <summary>Where to find a run or an experiment.</summary>
internal sealed record ResourceLinks(string StatusUri, string ReportUri, string StopUri)
{
    public const string Runs = "runs";
    public const string Experiments = "experiments";

    /// <param name="context">The request, which says how the client calls this server.</param>
    /// <param name="collection">Such as <see cref="Runs"/>.</param>
    /// <param name="id">A valid one.</param>
    public static ResourceLinks Create(HttpContext context, string collection, string id)
    {
        var status = $"{CollectionUri(context, collection)}/{id}";
        return new ResourceLinks(status, $"{status}/report", $"{status}/stop");
    }

    /// <summary>Address of a collection, such as <c>http://127.0.0.1:5080/api/runs</c>.</summary>
    public static string CollectionUri(HttpContext context, string collection) =>
        $"{context.Request.Scheme}://{context.Request.Host.ToUriComponent()}/api/{collection}";
}
