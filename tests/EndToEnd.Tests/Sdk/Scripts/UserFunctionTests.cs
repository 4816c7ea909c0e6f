using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Scripts;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk.Scripts;

/// <summary>Queries that call user-defined functions, over several physical partitions.</summary>
public sealed class UserFunctionTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Query_EachClause_CallsThem(ConnectionMode mode)
    {
        var container = await FillAsync(
            mode, Enumerable.Range(0, 20).Select(i => (new Item { Id = $"{i}", Key = $"k{i}", Value = i }, $"k{i}")));
        await DefineAsync(container, "twice", "function(x) { return x * 2; }");
        await DefineAsync(container, "isOdd", "function isOdd(n) { return n % 2 === 1; };");
        await DefineAsync(container, "wrap", "(x) => ({ x: [x, null, 'é'] })");

        Assert.Equal([38], await container.QueryAsync<int>("SELECT VALUE udf.twice(c.value) FROM c WHERE c.value = 19"));
        Assert.Equal(10, (await container.QueryAsync<Item>("SELECT * FROM c WHERE udf.isOdd(c.value)")).Count);
        Assert.Equal([6], await container.QueryAsync<int>("SELECT VALUE c.value FROM c WHERE c.value = udf.twice(3)"));
        Assert.Equal([380], await container.QueryAsync<int>("SELECT VALUE SUM(UDF.twice(c.value)) FROM c"));
        Assert.Equal(
            ["""{"x":[7,null,"é"]}"""],
            (await container.QueryAsync<JToken>("SELECT VALUE udf.wrap(udf.twice(3.5)) FROM c WHERE c.id = '7'"))
                .Select(one => one.ToString(Formatting.None)));
        Assert.Equal([19, 17], await container.QueryAsync<int>(
            "SELECT VALUE c.value FROM c WHERE udf.isOdd(c.value) ORDER BY c.value DESC OFFSET 0 LIMIT 2"));
    }

    /// <summary>The function and the query of the SDK's own test.</summary>
    [Theory, MemberData(nameof(Modes))]
    public async Task Query_OfTheSdksTest_HasItsResult(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "1", Key = "k", Value = 9_001, Text = "Done" });
        await DefineAsync(container, "calculateTax", "function(amt) { return amt * 0.05; }");
        var query = new QueryDefinition(
            "SELECT t.id, udf.calculateTax(t[\"value\"]) as total FROM toDoActivity t where t[\"value\"] > @expensive and t.text = @status")
            .WithParameter("@expensive", 9_000).WithParameter("@status", "Done");
        using var iterator = container.GetItemQueryIterator<JToken>(query);
        Assert.Equal(450.05, (double)Assert.Single(await iterator.ReadAllAsync())["total"]!, 6);
    }

    [Fact]
    public async Task Query_WithoutDocuments_CostsAsRecorded()
    {
        var container = await CreateContainerAsync();
        await DefineAsync(container, "plus1", "function(x){return x+1;}");
        using var iterator = container.GetItemQueryIterator<int>("SELECT VALUE udf.plus1(1)");
        var page = await iterator.ReadNextAsync(Token);
        Assert.Equal((2, 2.56), (Assert.Single(page), page.RequestCharge));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Query_FunctionThatThrows_FailsWithTheNumberOfTheError(ConnectionMode mode)
    {
        var container = await CreateContainerAsync(mode);
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        await DefineAsync(container, "throws", "function() { throw new Error(32766, 'on purpose'); }");
        var e = await FailsAsync(
            HttpStatusCode.BadRequest, () => container.QueryAsync<Item>("SELECT * FROM c WHERE udf.throws() = true"), subStatus: 32766);
        Assert.Contains(
            "Encountered exception while executing function. Exception = Error: on purpose", e.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("udf.none(c.id)", "user-defined function 'none'")]
    [InlineData("udf.broken(c.id)", "Encountered exception while compiling Javascript.")]
    [InlineData("udf.number(c.id)", "Encountered exception while compiling Javascript.")]
    [InlineData("udf.recursive(c.value)", "Maximum call stack size exceeded")]
    [InlineData("[udf.f(),udf.f(),udf.f(),udf.f(),udf.f(),udf.f(),udf.f(),udf.f(),udf.f(),udf.f(),udf.f()]", "limit is 10")]
    public async Task Query_FunctionThatCannotRun_IsA400(string expression, string message)
    {
        var container = await CreateContainerAsync();
        await container.AddAsync(new Item { Id = "1", Key = "k" });
        await DefineAsync(container, "broken", "function() { This is to create a Compile Error! }");
        await DefineAsync(container, "number", "42");
        await DefineAsync(container, "recursive", "function f(x) { return f(x + 1) + 1; }");
        var e = await FailsAsync(
            HttpStatusCode.BadRequest, () => container.QueryAsync<JToken>($"SELECT VALUE {expression} FROM c"));
        Assert.Contains(message, e.Message, StringComparison.Ordinal);
    }

    /// <summary>Each page has an interpreter of its own, and none sees .NET or compiles text.</summary>
    [Theory]
    [InlineData("function() { return typeof System + typeof importNamespace + typeof require; }", "undefinedundefinedundefined")]
    [InlineData("function() { try { return eval('1'); } catch (e) { return e.name; } }", "TypeError")]
    [InlineData("function() { globalThis.seen = (globalThis.seen || 0) + 1; return '' + globalThis.seen; }", "1")]
    public async Task Query_FunctionThatLooksAround_SeesNothing(string body, string expected)
    {
        var container = await CreateContainerAsync();
        await DefineAsync(container, "f", body);
        for (var i = 0; i < 2; i++)
            Assert.Equal(expected, Assert.Single(await container.QueryAsync<string>("SELECT VALUE udf.f()")));
    }

    [Fact]
    public async Task Query_FunctionReplaced_CallsTheNewOne()
    {
        var container = await CreateContainerAsync();
        await DefineAsync(container, "f", "function() { return 1; }");
        Assert.Equal([1], await container.QueryAsync<int>("SELECT VALUE udf.f()"));
        await container.Scripts.ReplaceUserDefinedFunctionAsync(
            new UserDefinedFunctionProperties { Id = "f", Body = "function() { return 2; }" }, cancellationToken: Token);
        Assert.Equal([2], await container.QueryAsync<int>("SELECT VALUE udf.f()"));
    }

    private static Task<UserDefinedFunctionResponse> DefineAsync(Container container, string name, string body) =>
        container.Scripts.CreateUserDefinedFunctionAsync(
            new UserDefinedFunctionProperties { Id = name, Body = body }, cancellationToken: Token);
}
