using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Scripts;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Direct;

/// <summary>What the account does not serve: it says so, and not that the client may not ask.</summary>
public sealed class UnservedRequestTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task ScriptsConflictsAndUsers_AreNotFoundOrNotAllowed(ConnectionMode mode)
    {
        Container container = await CreateContainerAsync(mode);

        using ResponseMessage execution = await container.Scripts.ExecuteStoredProcedureStreamAsync(
            "none", new PartitionKey("k"), [], cancellationToken: Token);
        using ResponseMessage creation = await container.Scripts.CreateStoredProcedureStreamAsync(
            new StoredProcedureProperties("none", "function () { }"), cancellationToken: Token);
        using ResponseMessage triggers = await container.Scripts.GetTriggerQueryStreamIterator().ReadNextAsync(Token);
        CosmosException users = await Assert.ThrowsAsync<CosmosException>(
            () => container.Database.CreateUserAsync("u", cancellationToken: Token));
        using ResponseMessage conflicts = await container.Conflicts.GetConflictQueryStreamIterator().ReadNextAsync(Token);

        Assert.Equal(HttpStatusCode.NotFound, execution.StatusCode);
        Assert.All(
            new[] { creation.StatusCode, triggers.StatusCode, conflicts.StatusCode, users.StatusCode },
            status => Assert.Equal(HttpStatusCode.MethodNotAllowed, status));
    }
}
