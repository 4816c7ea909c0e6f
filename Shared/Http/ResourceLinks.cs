namespace ScaleOut.Http;

/// <summary>Where to find a run or an experiment.</summary>
internal sealed record ResourceLinks(string StatusUri, string ReportUri, string StopUri)
{
    /// <param name="baseUri">Of the server.</param>
    /// <param name="collection">Such as <c>runs</c>.</param>
    /// <param name="id">A valid one.</param>
    public static ResourceLinks Of(Uri baseUri, string collection, string id)
    {
        var status = new Uri(baseUri, $"api/{collection}/{id}").AbsoluteUri;
        return new ResourceLinks(status, $"{status}/report", $"{status}/stop");
    }
}
