using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Scripts;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk.Scripts;

/// <summary>Stored procedures, triggers and user-defined functions as resources: what the SDK's own tests of them expect.</summary>
public sealed class ScriptDefinitionTests(AccountFixture fixture) : AccountTests(fixture)
{
    private const string Body = "function() { { var x = 42; } }";

    [Theory, MemberData(nameof(Modes))]
    public async Task Procedure_FromCreationToDeletion_IsWhatWasWritten(ConnectionMode mode)
    {
        var scripts = (await CreateContainerAsync(mode)).Scripts;
        var created = await scripts.CreateStoredProcedureAsync(new StoredProcedureProperties("p", Body), cancellationToken: Token);
        Assert.Equal((HttpStatusCode.Created, 4.95), (created.StatusCode, created.RequestCharge));
        Assert.Equal(("p", Body), (created.Resource.Id, created.Resource.Body));
        Assert.Matches("^dbs/(.+)/colls/(.+)/sprocs/(.+)/$", created.Resource.SelfLink);
        Assert.Contains("collectionSize", created.Headers["x-ms-resource-usage"], StringComparison.Ordinal);
        Assert.NotNull(created.Resource.LastModified);

        var read = await scripts.ReadStoredProcedureAsync("p", cancellationToken: Token);
        Assert.Equal((created.Resource.ETag, created.ETag), (read.Resource.ETag, read.ETag));
        var replaced = await scripts.ReplaceStoredProcedureAsync(
            new StoredProcedureProperties("p", "function() { }"), cancellationToken: Token);
        Assert.Equal((HttpStatusCode.OK, "function() { }"), (replaced.StatusCode, replaced.Resource.Body));
        Assert.Equal(created.Resource.SelfLink, replaced.Resource.SelfLink);
        Assert.NotEqual(created.Resource.ETag, replaced.Resource.ETag);

        var deleted = await scripts.DeleteStoredProcedureAsync("p", cancellationToken: Token);
        Assert.Equal(HttpStatusCode.NoContent, deleted.StatusCode);
        await FailsAsync(HttpStatusCode.NotFound, () => scripts.ReadStoredProcedureAsync("p", cancellationToken: Token));
        await FailsAsync(HttpStatusCode.NotFound, () => scripts.DeleteStoredProcedureAsync("p", cancellationToken: Token));
    }

    [Fact]
    public async Task Trigger_Replaced_HasItsTypeAndOperation()
    {
        var scripts = (await CreateContainerAsync()).Scripts;
        var settings = new TriggerProperties
        {
            Id = "t", Body = Body, TriggerType = TriggerType.Post, TriggerOperation = TriggerOperation.Upsert,
        };
        TriggerProperties created = await scripts.CreateTriggerAsync(settings, cancellationToken: Token);
        Assert.Equal((TriggerType.Post, TriggerOperation.Upsert), (created.TriggerType, created.TriggerOperation));
        Assert.Matches("^dbs/(.+)/colls/(.+)/triggers/(.+)/$", created.SelfLink);
        settings.TriggerOperation = TriggerOperation.All;
        TriggerProperties replaced = await scripts.ReplaceTriggerAsync(settings, cancellationToken: Token);
        Assert.Equal(TriggerOperation.All, replaced.TriggerOperation);
        TriggerProperties read = await scripts.ReadTriggerAsync("t", cancellationToken: Token);
        Assert.Equal((replaced.ETag, replaced.TriggerOperation), (read.ETag, read.TriggerOperation));
    }

    [Fact]
    public async Task Function_WithTheNameOfAnother_IsAConflictInItsKindOnly()
    {
        var scripts = (await CreateContainerAsync()).Scripts;
        var properties = new UserDefinedFunctionProperties { Id = "same", Body = Body };
        await scripts.CreateUserDefinedFunctionAsync(properties, cancellationToken: Token);
        await scripts.CreateStoredProcedureAsync(new StoredProcedureProperties("same", Body), cancellationToken: Token);

        var e = await FailsAsync(
            HttpStatusCode.Conflict, () => scripts.CreateUserDefinedFunctionAsync(properties, cancellationToken: Token));
        Assert.Equal(1.24, e.RequestCharge);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Lists_OfEachKind_HaveTheirOwnInPagesAndByQuery(ConnectionMode mode)
    {
        var scripts = (await CreateContainerAsync(mode)).Scripts;
        foreach (var name in new[] { "a1", "b", "a2" })
        {
            await scripts.CreateUserDefinedFunctionAsync(
                new UserDefinedFunctionProperties { Id = name, Body = Body }, cancellationToken: Token);
        }

        await scripts.CreateStoredProcedureAsync(new StoredProcedureProperties("p", Body), cancellationToken: Token);
        var paged = scripts.GetUserDefinedFunctionQueryIterator<UserDefinedFunctionProperties>(
            requestOptions: new QueryRequestOptions { MaxItemCount = 2 });
        Assert.Equal(["a1", "b", "a2"], (await paged.ReadAllAsync()).Select(one => one.Id));
        var queried = scripts.GetUserDefinedFunctionQueryIterator<UserDefinedFunctionProperties>(
            "select * from T where STARTSWITH(T.id, \"a\")");
        Assert.Equal(["a1", "a2"], (await queried.ReadAllAsync()).Select(one => one.Id));
        Assert.Empty(await scripts.GetTriggerQueryIterator<TriggerProperties>().ReadAllAsync());
    }

    [Theory]
    [InlineData("sprocs", """{"id":"x"}""", "required properties - 'body; ' - are missing")]
    [InlineData("udfs", """{"id":"x","body":null}""", "required properties - 'body; ' - are missing")]
    [InlineData("triggers", """{"id":"x","body":"b","triggerOperation":"All"}""", "required properties - 'triggerType; ' - are missing")]
    [InlineData("triggers", """{"id":"x","body":"b","triggerType":"Pre"}""", "required properties - 'triggerOperation; ' - are missing")]
    [InlineData("triggers", """{"id":"x","body":"b","triggerType":"Never","triggerOperation":"All"}""", "triggerType is none of Pre, Post")]
    [InlineData("sprocs", """{"id":"x","body":1}""", "payload is invalid")]
    [InlineData("sprocs", """{"id":"x/y","body":"b"}""", "invalid character")]
    public async Task Create_Incomplete_SaysWhatIsMissing(string feed, string body, string message)
    {
        var container = await CreateContainerAsync();
        using var response = await SendAsync(HttpMethod.Post, $"dbs/{container.Database.Id}/colls/{container.Id}/{feed}", body);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains(message, await response.Content.ReadAsStringAsync(Token), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Replace_OfAnotherVersion_IsAFailedPrecondition()
    {
        var scripts = (await CreateContainerAsync()).Scripts;
        var properties = new StoredProcedureProperties("p", Body);
        await scripts.CreateStoredProcedureAsync(properties, cancellationToken: Token);
        var options = new RequestOptions { IfMatchEtag = "\"other\"" };
        await FailsAsync(
            HttpStatusCode.PreconditionFailed, () => scripts.ReplaceStoredProcedureAsync(properties, options, cancellationToken: Token));
    }

    [Fact]
    public async Task ContainerOfTheSameName_CreatedAgain_HasNoScripts()
    {
        var container = await CreateContainerAsync();
        await container.Scripts.CreateStoredProcedureAsync(new StoredProcedureProperties("p", Body), cancellationToken: Token);
        await container.DeleteContainerAsync(cancellationToken: Token);
        await container.Database.CreateContainerAsync(container.Id, "/pk", cancellationToken: Token);
        await FailsAsync(HttpStatusCode.NotFound, () => container.Scripts.ReadStoredProcedureAsync("p", cancellationToken: Token));
    }
}
