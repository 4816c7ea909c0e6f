using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Workers.Operations;

public sealed class QueryOperationTests(OperationAccount account) : IClassFixture<OperationAccount>
{
    private readonly OperationContext _context = account.Context;

    [Fact]
    public async Task TryAsync_PagesOfAllPartitions_CountsEachRequestWhereItWasCharged()
    {
        await account.CreateAsync(200, 20);
        var before = account.QueriesCharged;
        var query = new QuerySpec
        {
            Text = "SELECT * FROM c WHERE c.KeyNumber >= 200 AND c.KeyNumber < @end", PageSize = 4,
            Parameters = [new QueryParameterSpec { Name = "@end", Value = "220" }],
        };
        using var operation = new QueryOperation(_context, query, "operations");

        operation.Prepare(200, 1);
        var responses = await OperationAccount.ReadAllAsync(operation);

        Assert.Equal(AttemptKind.Succeeded, responses[^1].Kind);
        var calls = responses.Select(response => response.Calls!).ToList();
        Assert.Equal(20, calls.Sum(call => call.Items));
        var partitions = Enumerable.Range(0, 3).Select(partition => Counts.Sum(calls.Select(call => call.Partitions[partition]))).ToList();
        Assert.All(partitions, partition => Assert.True(partition.RequestUnits.Value > 0, "A partition was not asked."));
        Assert.Equal(account.QueriesCharged - before, partitions.Sum(partition => partition.RequestUnits.Value), precision: 6);
        // Besides the pages of the partitions, the SDK asks for a query plan at most once.
        Assert.InRange(calls.Sum(call => call.Requests) - partitions.Sum(partition => partition.Attempts), 0, 1);
        var pages = Enumerable.Range(200, 20).GroupBy(number => _context.Partitions.IndexOf(_context.Documents.KeyOf(number)))
            .Select(documents => (documents.Key, (documents.Count() + 3) / 4));
        Assert.All(pages, one => Assert.InRange(partitions[one.Key].Attempts, one.Item2, one.Item2 + 1));
        Assert.All(partitions, partition => Assert.Equal((0, 0), (partition.Throttled, partition.ThrottledRequestUnits.Value)));
    }

    [Fact]
    public async Task TryAsync_OfOnePartitionKey_AsksItsPartitionOnce()
    {
        await account.CreateAsync(300, 1);
        using var operation = new QueryOperation(
            _context, new QuerySpec { Text = "SELECT VALUE c.KeyNumber FROM c", PartitionKey = "{{key}}" }, "operations");

        var response = await OperationAccount.TryAsync(operation, 300);

        Assert.Equal((AttemptKind.Succeeded, 1, 1), (response.Kind, response.Calls!.Requests, response.Calls.Items));
        Assert.Equal(_context.Partitions.IndexOf(_context.Documents.KeyOf(300)), operation.Partition);
        Assert.Equal(1, response.Calls.Partitions[operation.Partition].Attempts);
        // Each attempt has what was counted since the one before, and a finished query begins again.
        var again = await operation.TryAsync();
        Assert.Equal((AttemptKind.Succeeded, 1, 1), (again.Kind, again.Calls!.Requests, again.Calls.Items));
    }

    [Fact]
    public async Task TryAsync_AnyKindOfParameter_IsTheValueOfTheDocument()
    {
        await account.CreateAsync(310, 1);
        using var operation = new QueryOperation(
            _context with { DocumentOf = number => number + 10 },
            new QuerySpec
            {
                Text = "SELECT * FROM c WHERE c.id = @id AND c.KeyNumber = @number AND c.SomeText = @text AND c.PartitionKey = @key "
                    + "AND @whole = 3 AND @part = 1.5 AND @true AND NOT @false AND @joined = CONCAT('n-', ToString(c.KeyNumber)) "
                    + "AND @counted = c.KeyNumber",
                Parameters =
                [
                    Parameter("@id", "\"{{id}}\""), Parameter("@number", "\"{{field:KeyNumber}}\""),
                    Parameter("@text", "\"{{field:SomeText}}\""), Parameter("@key", "\"{{key}}\""), Parameter("@whole", "3"),
                    Parameter("@part", "1.5"), Parameter("@true", "true"), Parameter("@false", "false"),
                    Parameter("@joined", "\"n-{{field:KeyNumber}}\""), Parameter("@counted", "\"{{number}}\""),
                ],
            },
            "operations");

        operation.Prepare(300, 1);
        var responses = await OperationAccount.ReadAllAsync(operation);

        var items = responses.Sum(response => response.Calls!.Items);
        Assert.Equal((AttemptKind.Succeeded, null, 1), (responses[^1].Kind, responses[^1].Reason, items));

        static QueryParameterSpec Parameter(string name, string value) => new() { Name = name, Value = value };
    }

    [Fact]
    public async Task Prepare_QueryThatHasMorePages_BeginsWithTheFirst()
    {
        await account.CreateAsync(340, 3);
        var query = new QuerySpec { Text = "SELECT * FROM c WHERE c.KeyNumber >= 340 AND c.KeyNumber < 343", PageSize = 1 };
        using var operation = new QueryOperation(_context, query, "operations");
        do
            operation.Prepare(340, 1);
        while ((await operation.TryAsync()).Calls!.Items == 0);

        operation.Prepare(341, 1);
        Assert.Equal(3, (await OperationAccount.ReadAllAsync(operation)).Sum(response => response.Calls!.Items));
    }

    [Fact]
    public void Prepare_KeyOfAnotherDocument_IsOnItsPartition()
    {
        var own = _context.Partitions.IndexOf(_context.Documents.KeyOf(350));
        var other = Enumerable.Range(351, 100).Select(number => _context.Documents.KeyOf(number))
            .First(key => _context.Partitions.IndexOf(key) != own);
        using var operation = new QueryOperation(_context, new QuerySpec { Text = "SELECT * FROM c", PartitionKey = other }, "operations");

        operation.Prepare(350, 1);

        Assert.Equal(_context.Partitions.IndexOf(other), operation.Partition);
    }

    [Theory]
    [InlineData(null, null)]
    [InlineData("{{key}}", "tenant user")]
    [InlineData("of-{{key}}", "of-tenant")]
    [InlineData("fixed", "fixed")]
    public void From_HierarchicalKey_IsTheWholeKeyOrItsFirstValue(string? text, string? values)
    {
        var query = new QueryValues(new QuerySpec { Text = "SELECT * FROM c", PartitionKey = text }, _context.Documents, "operations");

        var (_, key) = query.From(1, "id", "tenant", ["tenant", "user"]);

        Assert.Equal(values?.Split(' '), key);
    }

    [Fact]
    public async Task TryAsync_QueryThatTheAccountRejects_RejectsTheClient()
    {
        using var operation = new QueryOperation(_context, new QuerySpec { Text = "SELECT FROM" }, "operations");

        var response = await OperationAccount.TryAsync(operation, 320);

        Assert.Equal((AttemptKind.Rejected, 400), (response.Kind, response.Status));
        Assert.False(string.IsNullOrEmpty(response.Reason), "The reason is missing.");
    }

    [Fact]
    public void Prepare_FieldThatDocumentsDoNotHave_IsNamed()
    {
        using var operation = new QueryOperation(
            _context,
            new QuerySpec { Text = "SELECT * FROM c", PartitionKey = "{{field:missing}}" },
            "operations");

        var error = Assert.Throws<DocumentException>(() => operation.Prepare(330, 1));
        Assert.Equal("workload.query: the documents have no field \"missing\"", Assert.Single(error.Errors).ToString());
    }

    [Theory]
    [InlineData("2:-1#17", "0", 2)]
    [InlineData(null, "1", 1)]
    [InlineData("", "1", 1)]
    [InlineData(":-1#17", "1", 1)]
    [InlineData("9:-1#17", "9", 0)]
    [InlineData(null, null, 0)]
    public void Count_PageOfAPartition_CountsForIt(string? session, string? range, int partition)
    {
        var tally = new QueryTally(_context.Partitions) { DefaultPartition = 0 };
        using var request = new RequestMessage();
        using var response = new ResponseMessage(HttpStatusCode.OK, request);
        if (session is not null)
            response.Headers.Add("x-ms-session-token", session);
        if (range is not null)
            request.Headers.Add("x-ms-documentdb-partitionkeyrangeid", range);
        response.Headers.Add("x-ms-request-charge", "2.5");
        response.Headers.Add("x-ms-item-count", "6");

        tally.Count(request, response);

        var calls = tally.Take();
        Assert.Equal((1, 6), (calls.Requests, calls.Items));
        Assert.Equal(new Counts { Attempts = 1, RequestUnits = RequestUnits.From(2.5) }, calls.Partitions[partition]);
        Assert.Equal(2.5, calls.Partitions.Sum(one => one.RequestUnits.Value));
        Assert.Equal((0, 0, 0), (tally.Take().Requests, tally.Take().Items, tally.Take().Partitions.Sum(one => one.RequestUnits.Value)));
    }

    [Fact]
    public void Count_ResponseNamesItsRange_CountsForIt()
    {
        var tally = new QueryTally(_context.Partitions) { DefaultPartition = 0 };
        using var request = new RequestMessage();
        using var response = new ResponseMessage(HttpStatusCode.OK, request);
        response.Headers.Add("x-ms-documentdb-partitionkeyrangeid", "2");

        tally.Count(request, response);

        Assert.Equal(1, tally.Take().Partitions[2].Attempts);
    }

    [Fact]
    public void Count_QueryPlanOr429_IsNoPageWithItems()
    {
        var tally = new QueryTally(_context.Partitions);
        Count(HttpStatusCode.OK, isPlan: true);
        Count(HttpStatusCode.TooManyRequests, isPlan: false);

        var calls = tally.Take();

        Assert.Equal((2, 6), (calls.Requests, calls.Items));
        var charge = RequestUnits.From(2.5);
        Assert.Equal(
            new Counts { Attempts = 1, Throttled = 1, RequestUnits = charge, ThrottledRequestUnits = charge }, calls.Partitions[0]);

        void Count(HttpStatusCode status, bool isPlan)
        {
            using var request = new RequestMessage();
            using var response = new ResponseMessage(status, request);
            if (isPlan)
                request.Headers.Add("x-ms-cosmos-is-query-plan-request", "True");
            response.Headers.Add("x-ms-request-charge", "2.5");
            response.Headers.Add("x-ms-item-count", "6");
            tally.Count(request, response);
        }
    }
}
