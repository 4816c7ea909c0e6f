using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Scripts;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Direct;

/// <summary>What the account does not serve: it says so, and not that the client may not ask.</summary>
public sealed class UnservedRequestTests(AccountFixture fixture) : IClassFixture<AccountFixture>
{
    public static TheoryData<ConnectionMode> Modes => AccountClients.Modes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Modes))]
    public async Task ScriptsAndConflicts_AreNotFoundOrNotAllowed(ConnectionMode mode)
    {
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(mode));

        using ResponseMessage execution = await container.Scripts.ExecuteStoredProcedureStreamAsync(
            "none", new PartitionKey("k"), [], cancellationToken: Token);
        using ResponseMessage creation = await container.Scripts.CreateStoredProcedureStreamAsync(
            new StoredProcedureProperties("none", "function () { }"), cancellationToken: Token);
        using ResponseMessage triggers = await container.Scripts.GetTriggerQueryStreamIterator().ReadNextAsync(Token);
        using ResponseMessage conflicts = await container.Conflicts.GetConflictQueryStreamIterator().ReadNextAsync(Token);

        Assert.Equal(
            [HttpStatusCode.NotFound, HttpStatusCode.MethodNotAllowed, HttpStatusCode.MethodNotAllowed, HttpStatusCode.MethodNotAllowed],
            [execution.StatusCode, creation.StatusCode, triggers.StatusCode, conflicts.StatusCode]);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task UsersOfADatabase_AreNotAllowed(ConnectionMode mode)
    {
        Container container = await AccountClients.CreateContainerAsync(fixture.Client(mode));

        CosmosException e = await Assert.ThrowsAsync<CosmosException>(
            () => container.Database.CreateUserAsync("u", cancellationToken: Token));

        Assert.Equal(HttpStatusCode.MethodNotAllowed, e.StatusCode);
    }
}
