using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Accounts.Planes;

/// <summary>Chooses where an account's containers are managed.</summary>
internal static class ContainerPlanes
{
    /// <summary>Azure Resource Manager where the account's resource id is given, else the data plane.</summary>
    /// <exception cref="AccountException">The resource id is not that of this account.</exception>
    public static IContainerPlane Create(AccountConnection account, CosmosClient client) => account.ResourceId is null
        ? new DataPlane(client, hasKey: account.Key is not null)
        : new ResourceManagerPlane(AccountResourceId.Of(account), new ResourceManagerClient(account));
}
