using System.Text.Json.Serialization;
using ScaleOut.Costs;
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

/// <summary>What something that is started will take at least.</summary>
/// <param name="RequestUnits">RU of all operations.</param>
/// <param name="Seconds">At least; null when nothing that limits it is known.</param>
/// <param name="Cost">At the host's prices; left out without prices, for the simulated account, and when the time is not known.</param>
internal sealed record StartEstimate(
    double RequestUnits, double? Seconds, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] RunCost? Cost)
{
    /// <summary>Estimates runs that go one after the other.</summary>
    public static StartEstimate From(IEnumerable<RunSpec> runs, HostRules rules)
    {
        var estimates = runs.Select(run => (Spec: run, Estimate: RunEstimate.From(run, rules.Target))).ToList();
        var requestUnits = estimates.Sum(run => run.Estimate.RequestUnits + run.Estimate.PreloadRequestUnits);
        double? seconds = estimates.All(run => run.Estimate.Seconds is not null) ? estimates.Sum(run => run.Estimate.Seconds!.Value) : null;
        var usesTables = estimates.Any(run => run.Spec.Workload.Kind.UsesTables());
        var cost = rules.Prices is null || rules.Simulated || usesTables || seconds is null
            ? null
            : RunCost.From(rules.Prices, estimates.Select(run => (run.Spec, run.Estimate.Seconds!.Value)));
        return new StartEstimate(Math.Round(requestUnits, 2), seconds, cost);
    }
}

/// <summary>Where to find a run or an experiment.</summary>
internal sealed record ResourceLinks(string StatusUri, string ReportUri, string StopUri)
{
    /// <param name="context">The request, which says how the client calls this server.</param>
    /// <param name="collection">Such as <see cref="ApiRoutes.Runs"/>.</param>
    public static ResourceLinks Create(HttpContext context, string collection, string id)
    {
        var status = $"{CollectionUri(context, collection)}/{id}";
        return new ResourceLinks(status, status + ApiRoutes.Report, status + ApiRoutes.Stop);
    }

    /// <summary>Address of a collection, such as <c>http://127.0.0.1:5080/api/runs</c>.</summary>
    public static string CollectionUri(HttpContext context, string collection) =>
        $"{context.Request.Scheme}://{context.Request.Host.ToUriComponent()}/{ApiRoutes.Prefix}/{collection}";
}
