using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class PriorityTests
{
    private const int LargeText = 60_000;

    private static readonly ItemRequestOptions Low = new() { PriorityLevel = PriorityLevel.Low };
    private static readonly ItemRequestOptions High = new() { PriorityLevel = PriorityLevel.High };

    public static TheoryData<ConnectionMode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>The account's clock stands still but for the steps of the test.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Create_LowPriority_IsThrottledBeforeHighPriority(ConnectionMode mode)
    {
        var time = new ManualTime(DateTimeOffset.UtcNow);
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(
            new SimulatedAccountOptions { Latency = LatencyProfile.None, PhysicalPartitions = 1 }, time, Token);
        using CosmosClient client = AccountClients.Create(account, mode);
        Container container = await AccountClients.CreateContainerAsync(client, throughput: 400);
        int number = 0;
        async Task<HttpStatusCode> CreateAsync(ItemRequestOptions options, int length = 1)
        {
            string id = $"{number++}";
            using ResponseMessage response = await container.CreateItemStreamAsync(
                new MemoryStream(System.Text.Encoding.UTF8.GetBytes($$"""{"id":"{{id}}","pk":"k","text":"{{new string('x', length)}}"}""")),
                new PartitionKey("k"), options, Token);
            return response.StatusCode;
        }

        Assert.Equal(HttpStatusCode.Created, await CreateAsync(Low));
        HttpStatusCode last;
        do
            last = await CreateAsync(High, LargeText);
        while (last == HttpStatusCode.Created);
        Assert.Equal(HttpStatusCode.TooManyRequests, last);
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(HttpStatusCode.TooManyRequests, await CreateAsync(Low));
        Assert.Equal(HttpStatusCode.Created, await CreateAsync(High));
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(HttpStatusCode.Created, await CreateAsync(Low));
        Assert.Equal(2, account.ReadLedger().Operations.Create.Throttled);
    }
}
