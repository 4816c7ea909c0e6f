using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>
/// The client routes bulk operations by its own hash. If the account stores a document elsewhere, it responds with 410, and the ledger
/// shows the retry.
/// </summary>
public sealed class RoutingTests : ModesTests
{
    private const int KeysOfAKind = 400;
    private const int PhysicalPartitions = 37;

    [Theory, MemberData(nameof(ModesAndKeyVersions))]
    public async Task Bulk_ThousandsOfKeysOfEveryType_ReachTheirPartition(ConnectionMode mode, PartitionKeyDefinitionVersion version)
    {
        await using var account = await AccountClients.StartAsync(new AccountSettings { PhysicalPartitions = PhysicalPartitions });
        using var bulk = AccountClients.Create(account, mode, options => options.AllowBulkExecution = true);
        using var single = AccountClients.Create(account, mode);
        var container = await AccountClients.CreateContainerAsync(bulk, throughput: 10_000_000, AccountClients.Keyed("/pk", version));
        List<(object Body, PartitionKey Key)> documents = [.. Documents()];

        var responses = await Task.WhenAll(documents.Select(
            document => container.AddJsonAsync(JsonSerializer.Serialize(document.Body), document.Key)));

        Assert.All(responses, response => Assert.Equal(HttpStatusCode.Created, response.StatusCode));
        var ledger = account.ReadLedger().Containers.Single();
        Assert.Equal((documents.Count, documents.Count), (ledger.Operations.Create.Attempts, ledger.DocumentCount));
        Assert.All(ledger.Partitions, partition => Assert.True(partition.Documents > 0));

        // The account routes a read by the key in its header, and the client routed the write by its own hash.
        var reader = single.GetContainer(container.Database.Id, container.Id);
        for (var i = 0; i < documents.Count; i += 29)
            Assert.Equal(HttpStatusCode.OK, await reader.StatusOfAsync($"{i}", documents[i].Key));

        // Workers assign documents to feed ranges themselves.
        var ranges = await reader.GetFeedRangesAsync(Token);
        var map = PartitionKeyRangeMap.FromEdges(
            (PartitionKeyVersion)(int)version, ranges.Select(
                range => (string)Newtonsoft.Json.Linq.JObject.Parse(range.ToJsonString())["Range"]!["min"]!));
        var counts = new long[map.Count];
        foreach ((var body, _) in documents)
            counts[IndexOf(map, body)]++;
        Assert.Equal(ledger.Partitions.Select(partition => partition.Documents), counts);
    }

    private static int IndexOf(PartitionKeyRangeMap map, object body)
    {
        var root = JsonSerializer.SerializeToElement(body);
        if (!root.TryGetProperty("pk", out var key))
            return map.IndexOf(PartitionKeyValue.Undefined);
        var json = Encoding.UTF8.GetBytes(key.GetRawText());
        var reader = new Utf8JsonReader(json);
        reader.Read();
        Assert.True(PartitionKeyValue.TryRead(ref reader, new byte[json.Length], out var value));
        return map.IndexOf(value);
    }

    private static IEnumerable<(object Body, PartitionKey Key)> Documents()
    {
        var id = 0;
        for (var i = 0; i < KeysOfAKind; i++)
        {
            var @long = $"{i}-{string.Concat(Enumerable.Repeat("long", 60))}";
            foreach (var text in new[] { $"short-{i}", @long, new string('y', 95) + i, $"ünïcödé-日本-😀-{i}" })
                yield return (new { id = $"{id++}", pk = text }, new PartitionKey(text));
            foreach (var number in new[] { i, -i, i * 0.1, i * 1e200, 1.0 / (i + 1) })
                yield return (new { id = $"{id++}", pk = number }, new PartitionKey(number));
        }

        yield return (new { id = $"{id++}", pk = true }, new PartitionKey(true));
        yield return (new { id = $"{id++}", pk = false }, new PartitionKey(false));
        yield return (new { id = $"{id++}", pk = (string?)null }, PartitionKey.Null);
        yield return (new { id = $"{id++}" }, PartitionKey.None);
        yield return (new { id = $"{id++}", pk = "" }, new PartitionKey(""));
    }
}
