using System.Net;
using Microsoft.Azure.Cosmos;

namespace OrderTests;

#pragma warning disable IDE1006 // Names as in the items.
public sealed record Order(string id, string customer, double total, bool paid = false, string note = "");
#pragma warning restore IDE1006

/// <summary>The code under test: orders of a shop, in a container whose partition key is the customer.</summary>
public sealed class OrderStore(Container orders)
{
    /// <returns>False if there is an order with this id.</returns>
    public async Task<bool> AddAsync(Order order)
    {
        try
        {
            await orders.CreateItemAsync(order, new PartitionKey(order.customer));
            return true;
        }
        catch (CosmosException e) when (e.StatusCode == HttpStatusCode.Conflict)
        {
            return false;
        }
    }

    /// <summary>Adds all of one customer, or none.</summary>
    public async Task<bool> AddAllAsync(string customer, IEnumerable<Order> added)
    {
        var batch = orders.CreateTransactionalBatch(new PartitionKey(customer));
        foreach (var order in added)
            batch.CreateItem(order);
        using var response = await batch.ExecuteAsync();
        return response.IsSuccessStatusCode;
    }

    /// <returns>Null if there is none.</returns>
    public async Task<Order?> FindAsync(string customer, string id)
    {
        try
        {
            return await orders.ReadItemAsync<Order>(id, new PartitionKey(customer));
        }
        catch (CosmosException e) when (e.StatusCode == HttpStatusCode.NotFound)
        {
            return null;
        }
    }

    /// <returns>False if it is paid already.</returns>
    public async Task<bool> PayAsync(string customer, string id)
    {
        try
        {
            await orders.PatchItemAsync<Order>(
                id, new PartitionKey(customer), [PatchOperation.Set("/paid", true)],
                new PatchItemRequestOptions { FilterPredicate = "FROM o WHERE o.paid = false" });
            return true;
        }
        catch (CosmosException e) when (e.StatusCode == HttpStatusCode.PreconditionFailed)
        {
            return false;
        }
    }

    /// <summary>Changes the total, however many others change the order at the same time.</summary>
    public async Task ChangeTotalAsync(string customer, string id, double by)
    {
        while (true)
        {
            var read = await orders.ReadItemAsync<Order>(id, new PartitionKey(customer));
            try
            {
                await orders.ReplaceItemAsync(
                    read.Resource with { total = read.Resource.total + by }, id, new PartitionKey(customer),
                    new ItemRequestOptions { IfMatchEtag = read.ETag });
                return;
            }
            catch (CosmosException e) when (e.StatusCode == HttpStatusCode.PreconditionFailed)
            {
                // Another change came first.
            }
        }
    }

    public Task DeleteAsync(string customer, string id) => orders.DeleteItemAsync<Order>(id, new PartitionKey(customer));

    /// <summary>The unpaid orders of all customers, the largest first.</summary>
    public Task<List<Order>> UnpaidAsync() =>
        ReadAsync<Order>(new QueryDefinition("SELECT * FROM o WHERE NOT o.paid ORDER BY o.total DESC"));

    public async Task<double> TotalAsync(string customer)
    {
        var query = new QueryDefinition("SELECT VALUE SUM(o.total) FROM o WHERE o.customer = @customer")
            .WithParameter("@customer", customer);
        return (await ReadAsync<double>(query)).Single();
    }

    public async Task<List<string>> ChangedAsync()
    {
        var ids = new List<string>();
        using var feed = orders.GetChangeFeedIterator<Order>(ChangeFeedStartFrom.Beginning(), ChangeFeedMode.LatestVersion);
        while (feed.HasMoreResults && await feed.ReadNextAsync() is { StatusCode: HttpStatusCode.OK } page)
            ids.AddRange(page.Select(order => order.id));
        return ids;
    }

    private async Task<List<T>> ReadAsync<T>(QueryDefinition query)
    {
        var results = new List<T>();
        using var pages = orders.GetItemQueryIterator<T>(query);
        while (pages.HasMoreResults)
            results.AddRange(await pages.ReadNextAsync());
        return results;
    }
}
