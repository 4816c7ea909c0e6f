using System.Globalization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using ScaleOut.Json;
using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Operations;

namespace ScaleOut.Simulator.Accounts;

/// <summary>
/// The control endpoint: <c>GET {prefix}ledger</c>, <c>POST {prefix}split?database=...&amp;container=...&amp;partition=n</c> and
/// <c>POST {prefix}shutdown</c>. The prefix is random, so that only who was given the endpoint can end the account.
/// </summary>
internal static class ControlRoutes
{
    public static void MapControl(this IEndpointRouteBuilder routes, string prefix, AccountEngine engine, Action shutdown)
    {
        routes.MapGet($"{prefix}ledger", context => context.Response.WriteAsJsonAsync(engine.ReadLedger(), ScaleOutJson.Compact));
        routes.MapPost($"{prefix}split", context =>
        {
            (context.Response.StatusCode, string text) = Split(engine, context.Request.Query);
            return context.Response.WriteAsync(text);
        });
        routes.MapPost($"{prefix}shutdown", async context =>
        {
            context.Response.StatusCode = StatusCodes.Status202Accepted;
            await context.Response.CompleteAsync().ConfigureAwait(false);
            shutdown();
        });
    }

    /// <summary>Splits a partition and waits until it is done.</summary>
    private static (int Status, string Text) Split(AccountEngine engine, IQueryCollection query)
    {
        if (!int.TryParse(query["partition"], NumberStyles.None, CultureInfo.InvariantCulture, out int partition))
            return (ServiceStatus.BadRequest, "partition must be the ordinal of a physical partition");
        string database = query["database"].ToString();
        string name = query["container"].ToString();
        if (engine.Catalog.Find(database)?.Find(name) is not { } container)
            return (ServiceStatus.NotFound, $"there is no container {database}/{name}");
        try
        {
            container.Split(partition);
            return (ServiceStatus.Ok, $"partition {partition} of {database}/{name} is split");
        }
        catch (RequestException e)
        {
            return (e.Status, e.Message);
        }
    }
}
