using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class DelayTests : ModesTests
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Ledger_AfterOperations_HasConfiguredAndDeliveredDelayOfEachResponse(ConnectionMode mode)
    {
        var latency = new LatencyProfile { RoundTripMs = 2, WriteMedianMs = 3, LogStandardDeviation = 0, PerBatchOperationMs = 0.5 };
        await using var own = await OwnAccount.StartAsync(mode, new AccountSettings { Latency = latency, PhysicalPartitions = 1 });
        var (account, container) = (own.Account, own.Container);
        for (var i = 0; i < 20; i++)
            await container.AddAsync(new Item { Id = $"{i}", Key = "k" });
        var batch = container.CreateTransactionalBatch(new PartitionKey("k"));
        for (var i = 0; i < 41; i++)
            batch.CreateItem(new Item { Id = $"b{i}", Key = "k" });
        (await batch.ExecuteAsync(Token)).Dispose();

        var delays = account.ReadLedger().Delays!;
        Assert.Equal(21, delays.Responses);
        var later = await ReadSecondsAsync(account, $"0-{DateTimeOffset.UtcNow.ToUnixTimeSeconds() + 1}");
        Assert.True(later!.CpuSeconds > 0);
        Assert.Equal(delays with { CpuSeconds = null }, later with { CpuSeconds = null });
        // A run of hours has as many ranges.
        var manyRanges = string.Join(',', Enumerable.Range(1, 5_000).Select(i => $"{10 * i}-{(10 * i) + 5}"));
        Assert.Equal(0, (await ReadSecondsAsync(account, manyRanges))!.Responses);
        // 20 x 5 ms, and a batch of 41 documents: 2 + 3 + 40 x 0.5 ms, and a little for its budget's use.
        Assert.InRange(delays.Configured.P50!.Value, 4.95, 5.1);
        Assert.InRange(delays.Configured.Max!.Value, 25, 26);
        Assert.True(delays.Delivered.P50 >= 4.4 && delays.Delivered.Max >= 24.4, $"{delays.Delivered}");
    }

    /// <summary>Uses the control endpoint, as a run does at its end.</summary>
    private static async Task<DeliveredDelays?> ReadSecondsAsync(SimulatedAccount account, string seconds)
    {
        using var http = new HttpClient();
        using var body = new StringContent(seconds);
        using var response = await http.PostAsync(new Uri(account.ControlEndpoint, "delays"), body, Token);
        return JsonSerializer.Deserialize<DeliveredDelays>(await response.Content.ReadAsByteArrayAsync(Token), ScaleOutJson.Compact);
    }
}
