using ScaleOut.Workers.Tables;

namespace ScaleOut.Tests.Workers.Tables;

/// <summary>Documents as entities, the errors of transactions, and how an account is given.</summary>
public sealed class TableEntitiesTests
{
    [Fact]
    public void From_EveryKindOfValue_BecomesAPropertyOfTheEntity()
    {
        const string document = """
            {"id":"d1","key":"LAX","text":"a \"b\" ß","small":5,"large":5000000000,"share":0.5,
             "yes":true,"nothing":null,"inner":{"a":[1,"x"]},"list":[1,2]}
            """;
        var entity = TableEntities.From(Encoding.UTF8.GetBytes(document.Trim()), "key", "LAX", "d1");

        Assert.Equal(("LAX", "d1"), (entity.PartitionKey, entity.RowKey));
        Assert.Equal(
            new Dictionary<string, object>
            {
                ["text"] = "a \"b\" ß", ["small"] = 5, ["large"] = 5_000_000_000, ["share"] = 0.5, ["yes"] = true,
                ["inner"] = """{"a":[1,"x"]}""", ["list"] = "[1,2]",
            },
            entity.Where(property => property.Key is not ("PartitionKey" or "RowKey")).ToDictionary());
    }

    [Theory]
    [InlineData(409, "EntityAlreadyExists", 0, AttemptKind.AlreadyThere)]
    [InlineData(409, "EntityAlreadyExists", null, AttemptKind.AlreadyThere)]
    [InlineData(409, "EntityAlreadyExists", 7, AttemptKind.Failed)]
    [InlineData(409, "TableBeingDeleted", null, AttemptKind.Rejected)]
    [InlineData(503, "ServerBusy", null, AttemptKind.Throttled)]
    [InlineData(503, null, null, AttemptKind.Throttled)]
    [InlineData(500, "OperationTimedOut", null, AttemptKind.Throttled)]
    [InlineData(500, "InternalError", null, AttemptKind.RetryUncertain)]
    [InlineData(403, "AuthenticationFailed", null, AttemptKind.Rejected)]
    [InlineData(400, "InvalidInput", 3, AttemptKind.Failed)]
    public void KindOf_StatusAndCode_IsWhatTheServiceMeans(int status, string? code, int? entity, AttemptKind expected) =>
        Assert.Equal(expected, TableErrors.KindOf(status, code, entity));

    [Theory]
    [InlineData("https://acme.table.core.windows.net/", "https://acme.table.core.windows.net/", null)]
    [InlineData("AccountName=acme;AccountKey=a2V5", "https://acme.table.core.windows.net/", "a2V5")]
    [InlineData(
        "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=a2V5;EndpointSuffix=core.chinacloudapi.cn",
        "https://acme.table.core.chinacloudapi.cn/", "a2V5")]
    [InlineData("AccountName=acme;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:9/acme", "http://127.0.0.1:9/acme", "a2V5")]
    public void Parse_EndpointOrConnectionString_IsTheAccount(string text, string endpoint, string? key)
    {
        var account = TableAccount.Parse(text);
        Assert.Equal((new Uri(endpoint), key), (account.Endpoint, account.Key));
        Assert.DoesNotContain("a2V5", account.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http://acme.table.core.windows.net/")]
    [InlineData("AccountKey=c2VjcmV0")]
    [InlineData("AccountName=acme;AccountKey=c2VjcmV0!")]
    [InlineData("AccountName=acme;AccountKey=c2VjcmV0;TableEndpoint=c2VjcmV0")]
    [InlineData("c2VjcmV0")]
    public void Parse_SomethingElse_IsAnErrorWithoutTheKey(string text) =>
        Assert.DoesNotContain("c2VjcmV0", Assert.Throws<FormatException>(() => TableAccount.Parse(text)).Message, StringComparison.Ordinal);
}
