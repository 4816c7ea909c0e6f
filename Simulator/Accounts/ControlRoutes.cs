namespace ScaleOut.Simulator.Accounts;

/// <summary>
/// The control endpoint: <c>GET ledger</c>, <c>POST delays</c> with seconds such as <c>100-160,170-180</c> as its body, <c>POST split</c>
/// and <c>POST merge</c> with <c>?database=...&amp;container=...&amp;partition=n</c>, and <c>POST shutdown</c>. A merge joins the
/// partition with the one that follows. The prefix is random, so that only those who were given it can end the account.
/// </summary>
internal static class ControlRoutes
{
    public static void MapControl(this IEndpointRouteBuilder routes, string prefix, AccountEngine engine, Action shutdown)
    {
        routes.MapGet($"{prefix}ledger", context => context.Response.WriteAsJsonAsync(
            engine.ReadLedger(), ScaleOutJson.Compact, context.RequestAborted));
        // The seconds are in the body, because the ranges of a run of hours do not fit into a URL.
        routes.MapPost($"{prefix}delays", async context =>
        {
            using var body = new StreamReader(context.Request.Body);
            await (TryReadSeconds(await body.ReadToEndAsync(context.RequestAborted), out var seconds)
                ? context.Response.WriteAsJsonAsync(engine.Delays.Read(seconds), ScaleOutJson.Compact, context.RequestAborted)
                : WriteAsync(
                    context, ServiceStatus.BadRequest, "the body must be ranges of UTC seconds since 1970, such as 100-160,170-180"));
        });
        Map("split", "split", static (container, partition) => container.Splits.Split(partition));
        Map("merge", "merged with the one that follows", static (container, partition) => container.Splits.Merge(partition));
        routes.MapPost($"{prefix}shutdown", async context =>
        {
            context.Response.StatusCode = StatusCodes.Status202Accepted;
            await context.Response.CompleteAsync();
            shutdown();
        });

        void Map(string verb, string done, Action<ContainerResource, int> change) => routes.MapPost($"{prefix}{verb}", context =>
        {
            (var status, var text) = Change(engine, context.Request.Query, done, change);
            return WriteAsync(context, status, text);
        });
    }

    private static Task WriteAsync(HttpContext context, int status, string text)
    {
        context.Response.StatusCode = status;
        return context.Response.WriteAsync(text, context.RequestAborted);
    }

    /// <summary>Reads ranges such as <c>100-160,170-180</c>, whose ends are exclusive. An empty text has no ranges.</summary>
    private static bool TryReadSeconds(string text, out NumberSet seconds)
    {
        var ranges = new List<NumberRange>();
        foreach (var one in text.Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            if (one.Split('-') is not [var from, var to]
                || !long.TryParse(from, NumberStyles.None, CultureInfo.InvariantCulture, out var low)
                || !long.TryParse(to, NumberStyles.None, CultureInfo.InvariantCulture, out var high))
            {
                seconds = NumberSet.Empty;
                return false;
            }

            ranges.Add(NumberRange.Between(low, high));
        }

        seconds = NumberSet.From(ranges);
        return true;
    }

    /// <summary>Splits or merges a partition and waits until it is done.</summary>
    private static (int Status, string Text) Change(
        AccountEngine engine, IQueryCollection query, string done, Action<ContainerResource, int> change)
    {
        if (!int.TryParse(query["partition"], NumberStyles.None, CultureInfo.InvariantCulture, out var partition))
            return (ServiceStatus.BadRequest, "partition must be the ordinal of a physical partition");
        var database = query["database"].ToString();
        var name = query["container"].ToString();
        if (engine.Catalog.Find(database)?.Find(name) is not { } container)
            return (ServiceStatus.NotFound, $"there is no container {database}/{name}");
        try
        {
            change(container, partition);
            return (ServiceStatus.Ok, $"partition {partition} of {database}/{name} is {done}");
        }
        catch (RequestException e)
        {
            return (e.Status, e.Message);
        }
    }
}
