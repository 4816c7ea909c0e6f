using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Scripts;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>The account says that it does not serve a request, not that the client lacks permission.</summary>
public sealed class UnservedRequestTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Request_ScriptsConflictsAndUsers_AreNotFoundOrNotAllowed(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        using var execution = await container.Scripts.ExecuteStoredProcedureStreamAsync(
            "none", new PartitionKey("k"), [], cancellationToken: Token);
        using var creation = await container.Scripts.CreateStoredProcedureStreamAsync(
            new StoredProcedureProperties("none", "function () { }"), cancellationToken: Token);
        using var triggers = await container.Scripts.GetTriggerQueryStreamIterator().ReadNextAsync(Token);
        using var conflicts = await container.Conflicts.GetConflictQueryStreamIterator().ReadNextAsync(Token);

        Assert.Equal(HttpStatusCode.NotFound, execution.StatusCode);
        Assert.All(new[] { creation, triggers, conflicts }, response => Assert.Equal(HttpStatusCode.MethodNotAllowed, response.StatusCode));
        await FailsAsync(HttpStatusCode.MethodNotAllowed, () => container.Database.CreateUserAsync("u", cancellationToken: Token));
    }
}
