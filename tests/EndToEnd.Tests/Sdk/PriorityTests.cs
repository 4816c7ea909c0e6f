using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class PriorityTests : ModesTests
{
    private const int LargeText = 60_000;

    private static readonly ItemRequestOptions Low = new() { PriorityLevel = PriorityLevel.Low };
    private static readonly ItemRequestOptions High = new() { PriorityLevel = PriorityLevel.High };

    /// <summary>The test moves the account's clock.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Create_LowPriority_IsThrottledBeforeHighPriority(ConnectionMode mode)
    {
        var time = new ManualTime(DateTimeOffset.UtcNow);
        await using var own = await OwnAccount.StartAsync(mode, new AccountSettings { PhysicalPartitions = 1 }, 400, time: time);
        var number = 0;
        async Task<HttpStatusCode> CreateAsync(ItemRequestOptions options, int length = 1)
        {
            var json = $$"""{"id":"{{number++}}","pk":"k","text":"{{new string('x', length)}}"}""";
            using var response = await own.Container.AddJsonAsync(json, new PartitionKey("k"), options);
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
        Assert.Equal(2, own.Account.ReadLedger().Operations.Create.Throttled);
    }
}
