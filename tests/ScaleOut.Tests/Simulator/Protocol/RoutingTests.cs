using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>
/// The client routes bulk operations by its own hash. One that the account would store elsewhere gets a 410 and is tried again, which the
/// ledger shows.
/// </summary>
public sealed class RoutingTests
{
    private const int KeysOfAKind = 400;
    private const int PhysicalPartitions = 37;

    public static TheoryData<ConnectionMode, PartitionKeyDefinitionVersion> Cases()
    {
        var data = new TheoryData<ConnectionMode, PartitionKeyDefinitionVersion>();
        foreach (ConnectionMode mode in AccountClients.Modes)
        {
            data.Add(mode, PartitionKeyDefinitionVersion.V1);
            data.Add(mode, PartitionKeyDefinitionVersion.V2);
        }

        return data;
    }

    [Theory, MemberData(nameof(Cases))]
    public async Task Bulk_ThousandsOfKeysOfEveryType_GoWhereTheAccountHasThem(ConnectionMode mode, PartitionKeyDefinitionVersion version)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = PhysicalPartitions }, token);
        using CosmosClient bulk = AccountClients.Create(account, mode, options => options.AllowBulkExecution = true);
        using CosmosClient single = AccountClients.Create(account, mode);
        Container container = await AccountClients.CreateContainerAsync(
            bulk, throughput: 10_000_000, new ContainerProperties { PartitionKeyPath = "/pk", PartitionKeyDefinitionVersion = version });
        List<(object Body, PartitionKey Key)> documents = [.. Documents()];

        ResponseMessage[] responses = await Task.WhenAll(
            documents.Select(
                document => container.CreateItemStreamAsync(Serialize(document.Body), document.Key, cancellationToken: token)));

        Assert.All(responses, response => Assert.Equal(HttpStatusCode.Created, response.StatusCode));
        ContainerLedger ledger = account.ReadLedger().Containers.Single();
        Assert.Equal(documents.Count, ledger.Operations.Create.Attempts);
        Assert.Equal(documents.Count, ledger.DocumentCount);
        Assert.All(ledger.Partitions, partition => Assert.True(partition.Documents > 0));

        // The account routes a read by the key in its header; it finds what the client wrote by its own hash.
        Container reader = single.GetContainer(container.Database.Id, container.Id);
        for (int i = 0; i < documents.Count; i += 29)
        {
            using ResponseMessage read = await reader.ReadItemStreamAsync($"{i}", documents[i].Key, cancellationToken: token);
            Assert.Equal(HttpStatusCode.OK, read.StatusCode);
        }

        // Workers attribute documents to the feed ranges themselves.
        IReadOnlyList<FeedRange> ranges = await reader.GetFeedRangesAsync(token);
        PartitionKeyRangeMap map = PartitionKeyRangeMap.FromEdges(
            (PartitionKeyVersion)(int)version, ranges.Select(
                range => (string)Newtonsoft.Json.Linq.JObject.Parse(range.ToJsonString())["Range"]!["min"]!));
        var counts = new long[map.Count];
        foreach ((object body, _) in documents)
            counts[IndexOf(map, body)]++;
        Assert.Equal(ledger.Partitions.Select(partition => partition.Documents), counts);
    }

    private static int IndexOf(PartitionKeyRangeMap map, object body)
    {
        JsonElement root = JsonSerializer.SerializeToElement(body);
        if (!root.TryGetProperty("pk", out JsonElement key))
            return map.IndexOf(PartitionKeyValue.Undefined);
        byte[] json = System.Text.Encoding.UTF8.GetBytes(key.GetRawText());
        var reader = new Utf8JsonReader(json);
        reader.Read();
        Assert.True(PartitionKeyValue.TryRead(ref reader, new byte[json.Length], out PartitionKeyValue value));
        return map.IndexOf(value);
    }

    private static IEnumerable<(object Body, PartitionKey Key)> Documents()
    {
        int id = 0;
        for (int i = 0; i < KeysOfAKind; i++)
        {
            string @long = $"{i}-{string.Concat(Enumerable.Repeat("long", 60))}";
            foreach (string text in new[] { $"short-{i}", @long, new string('y', 95) + i, $"ünïcödé-日本-😀-{i}" })
                yield return (new { id = $"{id++}", pk = text }, new PartitionKey(text));
            foreach (double number in new[] { i, -i, i * 0.1, i * 1e200, 1.0 / (i + 1) })
                yield return (new { id = $"{id++}", pk = number }, new PartitionKey(number));
        }

        yield return (new { id = $"{id++}", pk = true }, new PartitionKey(true));
        yield return (new { id = $"{id++}", pk = false }, new PartitionKey(false));
        yield return (new { id = $"{id++}", pk = (string?)null }, PartitionKey.Null);
        yield return (new { id = $"{id++}" }, PartitionKey.None);
        yield return (new { id = $"{id++}", pk = "" }, new PartitionKey(""));
    }

    private static MemoryStream Serialize(object body) => new(JsonSerializer.SerializeToUtf8Bytes(body));
}
