using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;
using ConsistencyLevel = Microsoft.Azure.Cosmos.ConsistencyLevel;

namespace ScaleOut.Tests.Simulator.Accounts;

public sealed class SimulatedAccountOptionsTests : SdkTests
{
    private const int Throughput = 500;

    public static TheoryData<ConsistencyLevel> Consistencies => [.. Enum.GetValues<ConsistencyLevel>()];

    public static TheoryData<string> Profiles => [.. LatencyProfile.Named.Select(profile => profile.Name!)];

    [Fact]
    public void ToSettings_AllWrong_NamesEachOption()
    {
        var options = new SimulatedAccountOptions
        {
            Throughput = 450, Latency = (SimulatedLatency)9, Consistency = (ConsistencyLevel)8, PhysicalPartitions = 0, DataFolder = " ",
        };

        var lines = Assert.Throws<ArgumentException>(options.ToSettings).Message.Split(Environment.NewLine);

        Assert.Equal(
            ["PhysicalPartitions", "Throughput", "DataFolder", "Latency", "Consistency"], lines.Select(line => line.Split(':')[0]));
        Assert.Contains("between 400 and 10000000 inclusive in increments of 100, not 450", lines[1], StringComparison.Ordinal);
    }

    [Theory, MemberData(nameof(Profiles))]
    public void ToSettings_EachLatency_IsTheProfileOfItsName(string name)
    {
        var latency = Enum.GetValues<SimulatedLatency>()
            .Single(one => $"{one}".Equals(name.Replace("-", "", StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase));

        Assert.Equal(name, new SimulatedAccountOptions { Latency = latency }.ToSettings().Latency!.Name);
    }

    [Theory, MemberData(nameof(Consistencies))]
    public async Task Consistency_OfTheOptions_IsTheAccounts(ConsistencyLevel level)
    {
        await using var account = await SimulatedAccount.StartAsync(new SimulatedAccountOptions { Consistency = level }, Token);
        var read = await account.CreateClient().ReadAccountAsync();
        Assert.Equal(level, read.Consistency.DefaultConsistencyLevel);
    }

    [Fact]
    public async Task Throughput_Given_IsThatOfNewContainersAndTheirLimit()
    {
        await using var own = await StartAsync(new SimulatedAccountOptions { Throughput = Throughput });
        Assert.Equal(Throughput, await own.Container.ReadThroughputAsync(Token));
        Assert.Equal(HttpStatusCode.TooManyRequests, await StatusBeyondAsync(own.Container));
    }

    [Fact]
    public async Task Throughput_NotGiven_LimitsNothing()
    {
        await using var own = await StartAsync(new SimulatedAccountOptions());
        Assert.Equal(HttpStatusCode.Created, await StatusBeyondAsync(own.Container));
    }

    [Fact]
    public async Task PhysicalPartitions_Given_AreThoseOfAContainer()
    {
        await using var own = await StartAsync(new SimulatedAccountOptions { PhysicalPartitions = 3 });
        Assert.Equal(3, (await own.Container.GetFeedRangesAsync(Token)).Count);
    }

    /// <summary>An account whose second never ends, with a container that was created without a throughput.</summary>
    private static async Task<OwnAccount> StartAsync(SimulatedAccountOptions options)
    {
        var account = await AccountClients.StartAsync(options.ToSettings(), new ManualTime(DateTimeOffset.UtcNow));
        var client = AccountClients.Create(account, ConnectionMode.Gateway);
        Database database = await client.CreateDatabaseAsync("tests", cancellationToken: Token);
        return new OwnAccount(account, client, await database.CreateContainerAsync("one", "/pk", cancellationToken: Token));
    }

    /// <summary>The status of the first write that is not accepted, or of one after more than a second's RU.</summary>
    private static async Task<HttpStatusCode> StatusBeyondAsync(Container container)
    {
        for (var (number, charged) = (0, 0.0); ; number++)
        {
            using var response = await container.AddIdAsync($"{number}");
            charged += response.Headers.RequestCharge;
            if (!response.IsSuccessStatusCode || charged > 2 * Throughput)
                return response.StatusCode;
        }
    }
}
