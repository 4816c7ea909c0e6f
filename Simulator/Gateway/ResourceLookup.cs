using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Gateway;

/// <summary>Finds what a path names, or throws the service's 404.</summary>
internal static class ResourceLookup
{
    public static DatabaseResource Database(GatewayExchange context, bool asOwner)
    {
        return context.Account.Catalog.TryFindDatabase(context.Target.Database!, out DatabaseResource? database)
            ? database
            : throw RequestException.NotFound(asOwner ? ServiceStatus.OwnerNotFound : 0);
    }

    /// <param name="context">The request.</param>
    /// <param name="asOwner">Whether the path goes on below the container.</param>
    public static ContainerResource Container(GatewayExchange context, bool asOwner)
    {
        RequestTarget target = context.Target;
        if (target.ResolvedContainer is not { IsDeleted: false } container)
        {
            DatabaseResource database = Database(context, asOwner: true);
            if (!ResourceCatalog.TryFindContainer(database, target.Container!, out container!))
                throw RequestException.NotFound(asOwner ? ServiceStatus.OwnerNotFound : 0);
            target.ResolvedContainer = container;
        }

        if (asOwner && context.Header(GatewayHeaders.IntendedContainer) is { } intended && intended != container.Rid)
            throw RequestException.BadRequest("Collection rid does not match the one the client intended.", ServiceStatus.ContainerRecreated);
        return container;
    }
}
