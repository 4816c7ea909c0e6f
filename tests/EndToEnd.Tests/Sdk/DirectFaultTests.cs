using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class DirectFaultTests : SdkTests
{
    [Theory]
    [InlineData(410, 0)]
    [InlineData(410, 1007)]
    [InlineData(410, 1008)]
    [InlineData(449, 0)]
    public async Task Fault_ThatTheSdkRetries_IsNotSeenByItsCaller(int status, int subStatus)
    {
        await using var own = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, Status = status, SubStatus = subStatus, MaxHits = 1 });
        Assert.Equal(HttpStatusCode.Created, await CreateAsync(own.Container));
        Assert.Equal(1, own.Account.ReadLedger().Documents.Created);
    }

    [Fact]
    public async Task RangeGone_OnAPointOperation_IsSeenByItsCaller()
    {
        await using var own = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, Status = 410, SubStatus = 1002, MaxHits = 1 });
        Assert.Equal(HttpStatusCode.Gone, await CreateAsync(own.Container));
        Assert.Equal(HttpStatusCode.Created, await CreateAsync(own.Container));
    }

    [Fact]
    public async Task ConnectionMode_OfARule_LeavesTheOtherModeAlone()
    {
        await using var own = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, Status = 400, ConnectionMode = ScaleOut.Specs.ConnectionMode.Direct });
        using var gateway = AccountClients.Create(own.Account, ConnectionMode.Gateway);
        Assert.Equal(HttpStatusCode.BadRequest, await CreateAsync(own.Container));
        Assert.Equal(HttpStatusCode.Created, await CreateAsync(gateway.GetContainer("tests", own.Container.Id)));
    }

    [Fact]
    public async Task ClosedConnection_AfterTheWrite_LeavesTheOutcomeUnknownAndTheDocumentStored()
    {
        await using var own = await StartAsync(
            new FaultRule { Operation = FaultOperation.Create, CloseConnection = true, AfterOperation = true, MaxHits = 1 });
        Assert.Equal(HttpStatusCode.ServiceUnavailable, await CreateAsync(own.Container));
        Assert.Equal(HttpStatusCode.Conflict, await CreateAsync(own.Container));
        Assert.Equal((2, 1), (own.Account.ReadLedger().Operations.Create.Attempts, own.Account.ReadLedger().Documents.Created));
    }

    private static async Task<HttpStatusCode> CreateAsync(Container container)
    {
        using var response = await container.AddIdAsync();
        return response.StatusCode;
    }

    private static Task<OwnAccount> StartAsync(params FaultRule[] faults) =>
        OwnAccount.StartAsync(ConnectionMode.Direct, new AccountSettings { PhysicalPartitions = 2, Faults = faults });
}
