using Microsoft.Azure.Cosmos;
using ScaleOut.Simulator.Persistence;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

/// <summary>One account of containers with one partition, whose clock stands still but for the steps of the tests.</summary>
public sealed class BucketAccount : AccountFixture
{
    public BucketAccount()
        : this(new ManualTime(DateTimeOffset.UtcNow))
    {
    }

    private BucketAccount(ManualTime time)
        : base(new SimulatedAccountOptions { PhysicalPartitions = 1, Burst = true }, time) => Time = time;

    internal ManualTime Time { get; }
}

public sealed class ThroughputBucketTests(BucketAccount fixture) : AccountTests<BucketAccount>(fixture)
{
    private const int BucketExhausted = 3212;
    private const int BucketsChangedTooOften = 3213;

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_InABucket_HasItsShareOfTheSecondAndTakesNothingFromOthers(ConnectionMode mode)
    {
        Container container = await CreateAsync(
            Client(mode), """[{"id":1,"maxThroughputPercentage":20},{"id":5,"maxThroughputPercentage":100}]""");
        // What is banked for bursts is for others: requests of a bucket have none of it.
        Fixture.Time.Advance(TimeSpan.FromSeconds(2));
        int number = 0;
        double charged = 0;
        async Task<ResponseMessage> WriteAsync(int? bucket)
        {
            string json = $$"""{"id":"{{number++}}","pk":"k","text":"{{new string('x', 10_000)}}"}""";
            ResponseMessage response = await container.CreateItemStreamAsync(
                new MemoryStream(Encoding.UTF8.GetBytes(json)), new PartitionKey("k"), new ItemRequestOptions { ThroughputBucket = bucket },
                Token);
            charged += response.Headers.RequestCharge;
            return response;
        }

        ResponseMessage last;
        do
            last = await WriteAsync(1);
        while (last.StatusCode == HttpStatusCode.Created);

        Assert.Equal((HttpStatusCode.TooManyRequests, BucketExhausted), (last.StatusCode, SubStatusOf(last)));
        Assert.InRange(int.Parse(last.Headers["x-ms-retry-after-ms"]), 1, 1_000);
        // The write that takes the bucket below zero is admitted, as the partition's own budget admits it.
        Assert.InRange(charged, 200, 200 + (charged / (number - 1)));
        foreach (int? other in new int?[] { null, 2, 5 })
            Assert.Equal(HttpStatusCode.Created, (await WriteAsync(other)).StatusCode);
        Fixture.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(HttpStatusCode.Created, (await WriteAsync(1)).StatusCode);

        charged = 0;
        do
            last = await WriteAsync(5);
        while (last.StatusCode == HttpStatusCode.Created);
        Assert.InRange(charged, 800, 1_100);
        Assert.Equal(HttpStatusCode.Created, (await WriteAsync(null)).StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task ClientOption_InBulk_HoldsForEveryOperation(ConnectionMode mode)
    {
        using CosmosClient client = AccountClients.Create(Account, mode, options =>
        {
            options.AllowBulkExecution = true;
            options.ThroughputBucket = 3;
        });
        Container container = await CreateAsync(client, """[{"id":3,"maxThroughputPercentage":10}]""");

        ResponseMessage[] responses = await Task.WhenAll(Enumerable.Range(0, 60).Select(i => container.CreateItemStreamAsync(
            new MemoryStream(Encoding.UTF8.GetBytes($$"""{"id":"{{i}}","pk":"k"}""")), new PartitionKey("k"), cancellationToken: Token)));

        Assert.InRange(responses.Where(one => one.IsSuccessStatusCode).Sum(one => one.Headers.RequestCharge), 100, 110);
        Assert.All(
            responses.Where(one => !one.IsSuccessStatusCode),
            one => Assert.Equal((HttpStatusCode.TooManyRequests, BucketExhausted), (one.StatusCode, SubStatusOf(one))));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_OfABucketThatCannotBe_IsABadRequest(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode, throughput: 1_000);

        foreach (int bucket in new[] { 0, 6 })
        {
            using ResponseMessage response = await container.ReadItemStreamAsync(
                "1", new PartitionKey("k"), new ItemRequestOptions { ThroughputBucket = bucket }, Token);
            Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        }
    }

    [Fact]
    public async Task Offer_WithBuckets_KeepsThemAndTakesOthersAfterTenMinutes()
    {
        const string buckets = """[{"id":1,"maxThroughputPercentage":20}]""";
        const string others = """[{"id":2,"maxThroughputPercentage":50}]""";
        CosmosClient client = Client(ConnectionMode.Gateway);
        Container container = await CreateAsync(client, buckets);
        string rid = await RidOfAsync(container);

        string[] wrong = ["""[{"id":6,"maxThroughputPercentage":1}]""", """[{"id":1,"maxThroughputPercentage":0}]""", "{}"];
        foreach (string invalid in wrong)
            Assert.Equal((HttpStatusCode.BadRequest, ""), await ReplaceOfferAsync(rid, invalid));
        await container.ReplaceThroughputAsync(1_200, cancellationToken: Token);
        Assert.Equal(buckets, (await OfferOfAsync(rid))["content"]!["throughputBuckets"]!.ToJsonString());
        Assert.Equal((HttpStatusCode.TooManyRequests, $"{BucketsChangedTooOften}"), await ReplaceOfferAsync(rid, others));
        Assert.Equal((HttpStatusCode.OK, ""), await ReplaceOfferAsync(rid, buckets));
        Fixture.Time.Advance(TimeSpan.FromMinutes(10));
        Assert.Equal((HttpStatusCode.OK, ""), await ReplaceOfferAsync(rid, others));
        Assert.Equal(others, (await OfferOfAsync(rid))["content"]!["throughputBuckets"]!.ToJsonString());
        Assert.Equal(1_000, await container.ReadThroughputAsync(Token));

        Database shared = await client.CreateDatabaseAsync("shared", 400, cancellationToken: Token);
        string ofDatabase = (await shared.ReadAsync(cancellationToken: Token)).Resource.SelfLink.Split('/')[1];
        Assert.Equal((HttpStatusCode.BadRequest, ""), await ReplaceOfferAsync(ofDatabase, buckets));
    }

    [Fact]
    public void KeptOffer_WrittenAndRead_HasTheBucketsAndTheHighestThroughput()
    {
        var offer = new Offer { Throughput = 400, Autoscale = false, HighestBefore = 70_000, Buckets = [new(1, 20), new(5, 100)] };

        byte[] kept = JsonSerializer.SerializeToUtf8Bytes(KeptOffer.From(offer), ScaleOutJson.Indented);
        Offer read = JsonSerializer.Deserialize<KeptOffer>(kept, ScaleOutJson.Indented)!.ToOffer();

        Assert.Equal((400, false, 70_000), (read.Throughput, read.Autoscale, read.HighestBefore));
        Assert.Equal(offer.Buckets, read.Buckets);
    }

    private static int SubStatusOf(ResponseMessage response) => int.Parse(response.Headers["x-ms-substatus"]);

    private static async Task<string> RidOfAsync(Container container) =>
        (await container.ReadContainerAsync(cancellationToken: Token)).Resource.SelfLink.Split('/')[3];

    /// <summary>A container of 1,000 RU/s; the SDK itself has nothing to set buckets with.</summary>
    private async Task<Container> CreateAsync(CosmosClient client, string buckets)
    {
        Container container = await AccountClients.CreateContainerAsync(client, 1_000);
        Assert.Equal(HttpStatusCode.OK, (await ReplaceOfferAsync(await RidOfAsync(container), buckets)).Status);
        return container;
    }

    /// <summary>The offer of a container or database, by the resource id of that.</summary>
    private async Task<JsonNode> OfferOfAsync(string rid)
    {
        using HttpResponseMessage response = await SendAsync(HttpMethod.Get, "/offers");
        var feed = JsonNode.Parse(await response.Content.ReadAsStringAsync(Token))!;
        return feed["Offers"]!.AsArray().Single(one => (string)one!["offerResourceId"]! == rid)!;
    }

    private async Task<(HttpStatusCode Status, string SubStatus)> ReplaceOfferAsync(string rid, string buckets)
    {
        JsonNode offer = await OfferOfAsync(rid);
        offer["content"] = new JsonObject { ["offerThroughput"] = 1_000, ["throughputBuckets"] = JsonNode.Parse(buckets) };
        using HttpResponseMessage response = await SendAsync(HttpMethod.Put, $"/offers/{offer["id"]}", offer.ToJsonString());
        string subStatus = response.Headers.TryGetValues("x-ms-substatus", out IEnumerable<string>? values) ? values.Single() : "";
        return (response.StatusCode, subStatus == "0" ? "" : subStatus);
    }
}
