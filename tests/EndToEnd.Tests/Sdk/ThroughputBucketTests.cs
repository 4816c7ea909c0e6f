using Microsoft.Azure.Cosmos;
using ScaleOut.Simulator.Persistence;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>An account with one partition for each container and a clock that the tests move.</summary>
public sealed class BucketAccount() : TimedAccount(new AccountSettings { PhysicalPartitions = 1, Burst = true });

public sealed class ThroughputBucketTests(BucketAccount fixture) : AccountTests<BucketAccount>(fixture)
{
    private const int BucketExhausted = 3212;
    private const int BucketsChangedTooOften = 3213;

    [Theory, MemberData(nameof(Modes))]
    public async Task Create_InABucket_HasItsShareOfTheSecondAndLeavesTheRest(ConnectionMode mode)
    {
        var container = await CreateAsync(
            Client(mode), """[{"id":1,"maxThroughputPercentage":20},{"id":5,"maxThroughputPercentage":100}]""");
        // Requests of a bucket get nothing of what is banked for bursts.
        Fixture.Move(2);
        var number = 0;
        double charged = 0;
        async Task<ResponseMessage> WriteAsync(int? bucket)
        {
            var json = $$"""{"id":"{{number++}}","pk":"k","text":"{{new string('x', 10_000)}}"}""";
            var response = await container.AddJsonAsync(json, new PartitionKey("k"), new ItemRequestOptions { ThroughputBucket = bucket });
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
        foreach (var other in new int?[] { null, 2, 5 })
            Assert.Equal(HttpStatusCode.Created, (await WriteAsync(other)).StatusCode);
        Fixture.Move(1);
        Assert.Equal(HttpStatusCode.Created, (await WriteAsync(1)).StatusCode);

        charged = 0;
        do
            last = await WriteAsync(5);
        while (last.StatusCode == HttpStatusCode.Created);
        Assert.InRange(charged, 800, 1_100);
        Assert.Equal(HttpStatusCode.Created, (await WriteAsync(null)).StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task ClientOption_InBulk_AppliesToEveryOperation(ConnectionMode mode)
    {
        using var client = AccountClients.Create(Account, mode, options =>
        {
            options.AllowBulkExecution = true;
            options.ThroughputBucket = 3;
        });
        var container = await CreateAsync(client, """[{"id":3,"maxThroughputPercentage":10}]""");

        var responses = await Task.WhenAll(Enumerable.Range(0, 60).Select(i => container.AddIdAsync($"{i}")));

        Assert.InRange(responses.Where(one => one.IsSuccessStatusCode).Sum(one => one.Headers.RequestCharge), 100, 110);
        Assert.All(
            responses.Where(one => !one.IsSuccessStatusCode),
            one => Assert.Equal((HttpStatusCode.TooManyRequests, BucketExhausted), (one.StatusCode, SubStatusOf(one))));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Read_InAnInvalidBucket_IsABadRequest(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode, throughput: 1_000);
        foreach (var bucket in new[] { 0, 6 })
        {
            using var response = await container.ReadItemStreamAsync(
                "1", new PartitionKey("k"), new ItemRequestOptions { ThroughputBucket = bucket }, Token);
            Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        }
    }

    [Fact]
    public async Task Offer_WithBuckets_KeepsThemAndAcceptsOthersAfterTenMinutes()
    {
        const string buckets = """[{"id":1,"maxThroughputPercentage":20}]""";
        const string others = """[{"id":2,"maxThroughputPercentage":50}]""";
        var client = Client(ConnectionMode.Gateway);
        var container = await CreateAsync(client, buckets);
        var rid = await container.RidAsync();

        string[] wrong = ["""[{"id":6,"maxThroughputPercentage":1}]""", """[{"id":1,"maxThroughputPercentage":0}]""", "{}"];
        foreach (var invalid in wrong)
            Assert.Equal((HttpStatusCode.BadRequest, ""), await ReplaceOfferAsync(rid, invalid));
        await container.ReplaceThroughputAsync(1_200, cancellationToken: Token);
        Assert.Equal(buckets, (await OfferOfAsync(rid))["content"]!["throughputBuckets"]!.ToJsonString());
        Assert.Equal((HttpStatusCode.TooManyRequests, $"{BucketsChangedTooOften}"), await ReplaceOfferAsync(rid, others));
        Assert.Equal((HttpStatusCode.OK, ""), await ReplaceOfferAsync(rid, buckets));
        Fixture.Move(600);
        Assert.Equal((HttpStatusCode.OK, ""), await ReplaceOfferAsync(rid, others));
        Assert.Equal(others, (await OfferOfAsync(rid))["content"]!["throughputBuckets"]!.ToJsonString());
        Assert.Equal(1_000, await container.ReadThroughputAsync(Token));

        Database shared = await client.CreateDatabaseAsync("shared", 400, cancellationToken: Token);
        var ofDatabase = (await shared.ReadAsync(cancellationToken: Token)).Resource.SelfLink.Split('/')[1];
        Assert.Equal((HttpStatusCode.BadRequest, ""), await ReplaceOfferAsync(ofDatabase, buckets));
    }

    [Fact]
    public void Offer_WrittenAndRead_HasTheBucketsAndTheHighestThroughput()
    {
        var offer = new Offer { Throughput = 400, Autoscale = false, HighestBefore = 70_000, Buckets = [new(1, 20), new(5, 100)] };
        var kept = JsonSerializer.SerializeToUtf8Bytes(offer, ScaleOutJson.Indented);
        var read = JsonSerializer.Deserialize<Offer>(kept, ScaleOutJson.Indented)!;
        Assert.Equal((400, false, 70_000), (read.Throughput, read.Autoscale, read.HighestBefore));
        Assert.Equal(offer.Buckets, read.Buckets);
    }

    private static int SubStatusOf(ResponseMessage response) => int.Parse(response.Headers["x-ms-substatus"]);

    /// <summary>A container of 1,000 RU/s. The SDK cannot set buckets.</summary>
    private async Task<Container> CreateAsync(CosmosClient client, string buckets)
    {
        var container = await AccountClients.CreateContainerAsync(client, 1_000);
        Assert.Equal(HttpStatusCode.OK, (await ReplaceOfferAsync(await container.RidAsync(), buckets)).Status);
        return container;
    }

    private async Task<(HttpStatusCode Status, string SubStatus)> ReplaceOfferAsync(string rid, string buckets)
    {
        var offer = await OfferOfAsync(rid);
        offer["content"] = new JsonObject { ["offerThroughput"] = 1_000, ["throughputBuckets"] = JsonNode.Parse(buckets) };
        using var response = await SendAsync(HttpMethod.Put, $"/offers/{offer["id"]}", offer.ToJsonString());
        var subStatus = response.Headers.TryGetValues("x-ms-substatus", out var values) ? values.Single() : "";
        return (response.StatusCode, subStatus == "0" ? "" : subStatus);
    }
}
