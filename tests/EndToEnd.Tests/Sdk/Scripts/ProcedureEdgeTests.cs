using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Scripts;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk.Scripts;

/// <summary>Runs of stored procedures that do what few do.</summary>
public sealed class ProcedureEdgeTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly PartitionKey Key = new("k");

    /// <summary>Each character takes six in the header, of which there are at most 8 * 1024.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_WithALongLog_ReturnsWhatFitsTheHeader(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await DefineAsync(container, "logs", "function() { console.log('ö'.repeat(5000)); }");
        var logged = await container.Scripts.ExecuteStoredProcedureAsync<string>(
            "logs", Key, [], new StoredProcedureRequestOptions { EnableScriptLogging = true }, Token);
        Assert.Equal(new string('ö', 8 * 1024 / 6), logged.ScriptLog);
    }

    /// <summary>Links lead to their documents after changes of the id, and never to another document that took the id.</summary>
    [Fact]
    public async Task Execute_OperationsByLink_FindTheDocumentsThatTheScriptChanged()
    {
        var container = await CreateContainerAsync();
        await container.AddAsync(new Item { Id = "first", Key = "k", Value = 1 });
        await DefineAsync(container, "links", """
            async function links() {
                const log = [];
                const call = (name, ...rest) => new Promise((resolve, reject) =>
                    __[name](...rest, (err, made) => err ? reject(err) : resolve(made)));
                const [first] = await call('readDocuments', __.getSelfLink());
                const made = await call('createDocument', __.getSelfLink(), { id: 'made', pk: 'k', value: 2 });
                log.push((await call('readDocument', first._self)).value, (await call('readDocument', made._self)).value);
                const later = await call('createDocument', __.getSelfLink(), { id: 'later', pk: 'k', value: 3 });
                await call('replaceDocument', first._self, { id: 'renamed', pk: 'k', value: 4 });
                log.push((await call('readDocument', later._self)).value, (await call('readDocument', first._self)).value);
                await call('deleteDocument', later._self);
                await call('createDocument', __.getSelfLink(), { id: 'later', pk: 'k', value: 5 });
                await call('readDocument', later._self).catch(err => log.push(err.number));
                __.response.setBody(log);
            }
            """);
        var seen = await container.Scripts.ExecuteStoredProcedureAsync<int[]>("links", Key, [], cancellationToken: Token);
        Assert.Equal([1, 2, 3, 4, 404], seen.Resource);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Execute_InAHierarchicalKey_SeesThatKeyOnly(ConnectionMode mode)
    {
        var properties = new ContainerProperties($"h-{Guid.NewGuid():N}", ["/tenant", "/user"]);
        var container = await CreateContainerAsync(mode, properties: properties);
        var key = new PartitionKeyBuilder().Add("t").Add("u").Build();
        var other = new PartitionKeyBuilder().Add("t").Add("v").Build();
        using var created = await container.AddJsonAsync("""{"id":"1","tenant":"t","user":"v"}""", other);
        await DefineAsync(container, "p", """
            function() {
                __.createDocument(__.getSelfLink(), { id: '1', tenant: 't', user: 'u' });
                __.readDocuments(__.getSelfLink(), (err, all) => __.response.setBody(all.map(one => one.user)));
            }
            """);
        var seen = await container.Scripts.ExecuteStoredProcedureAsync<string[]>("p", key, null, cancellationToken: Token);
        Assert.Equal(["u"], seen.Resource);
    }

    private static Task<StoredProcedureResponse> DefineAsync(Container container, string name, string body) =>
        container.Scripts.CreateStoredProcedureAsync(new StoredProcedureProperties(name, body), cancellationToken: Token);
}
