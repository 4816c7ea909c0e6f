using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Gateway;

/// <summary>The Gateway front end: which path and method is which operation on which resource.</summary>
internal static class GatewayRoutes
{
    private const string Container = "/dbs/{database}/colls/{container}";

    public static void MapGateway(this IEndpointRouteBuilder routes)
    {
        Map(routes, "/", ResourceType.Account, (HttpMethods.Get, OperationType.Read));
        Map(routes, "/addresses", ResourceType.Address, (HttpMethods.Get, OperationType.ReadFeed));
        Map(routes, "/dbs", ResourceType.Database, (HttpMethods.Get, OperationType.ReadFeed), (HttpMethods.Post, OperationType.Create));
        Map(routes, "/dbs/{database}", ResourceType.Database,
            (HttpMethods.Get, OperationType.Read), (HttpMethods.Delete, OperationType.Delete));
        Map(routes, "/dbs/{database}/colls", ResourceType.Container,
            (HttpMethods.Get, OperationType.ReadFeed), (HttpMethods.Post, OperationType.Create));
        Map(routes, Container, ResourceType.Container,
            (HttpMethods.Get, OperationType.Read), (HttpMethods.Put, OperationType.Replace), (HttpMethods.Delete, OperationType.Delete));
        Map(routes, $"{Container}/pkranges", ResourceType.PartitionKeyRange, (HttpMethods.Get, OperationType.ReadFeed));
        Map(routes, $"{Container}/docs", ResourceType.Document,
            (HttpMethods.Get, OperationType.ReadFeed), (HttpMethods.Post, OperationType.Create));
        Map(routes, $"{Container}/docs/{{document}}", ResourceType.Document,
            (HttpMethods.Get, OperationType.Read), (HttpMethods.Put, OperationType.Replace), (HttpMethods.Delete, OperationType.Delete));
        Map(routes, "/offers", ResourceType.Offer, (HttpMethods.Get, OperationType.ReadFeed), (HttpMethods.Post, OperationType.ReadFeed));
        Map(routes, "/offers/{document}", ResourceType.Offer,
            (HttpMethods.Get, OperationType.Read), (HttpMethods.Put, OperationType.Replace));
        routes.Map("/{**path}", context => RejectAsync(
            context, RequestException.Rejected(ServiceStatus.BadRequest, "The request's path names nothing that is simulated.")));
    }

    private static void Map(
        IEndpointRouteBuilder routes, string pattern, ResourceType resource, params (string Method, OperationType Operation)[] operations)
    {
        foreach ((string method, OperationType operation) in operations)
            routes.MapMethods(pattern, [method], context => ExchangeOf(context).RunAsync(context, resource, operation));
        routes.Map(pattern, context => RejectAsync(context, RequestException.MethodNotAllowed()));
    }

    private static Task RejectAsync(HttpContext context, RequestException error) =>
        ExchangeOf(context).RunAsync(context, ResourceType.Account, OperationType.None, error);

    private static GatewayExchange ExchangeOf(HttpContext context) => context.Features.GetRequiredFeature<GatewayExchange>();
}
