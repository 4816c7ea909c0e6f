using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>The account says that it does not serve a request, not that the client lacks permission.</summary>
public sealed class UnservedRequestTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Request_ConflictsAndUsers_AreNotAllowed(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        using var conflicts = await container.Conflicts.GetConflictQueryStreamIterator().ReadNextAsync(Token);

        Assert.Equal(HttpStatusCode.MethodNotAllowed, conflicts.StatusCode);
        await FailsAsync(HttpStatusCode.MethodNotAllowed, () => container.Database.CreateUserAsync("u", cancellationToken: Token));
    }
}
