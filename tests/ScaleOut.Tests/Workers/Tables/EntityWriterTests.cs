using System.Text;
using System.Text.Json.Nodes;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Tables;

namespace ScaleOut.Tests.Workers.Tables;

/// <summary>Documents as entities, and the responses to transactions, by what the service's documentation says of both.</summary>
public sealed class EntityWriterTests
{
    [Fact]
    public void Write_EveryKindOfValue_BecomesAPropertyOfATable()
    {
        const string document = """
            {"id":"d1","key":"LAX","text":"a \"b\" ß","small":5,"large":5000000000,"share":0.5,
             "yes":true,"nothing":null,"inner":{"a":[1,"x"]},"list":[1,2]}
            """;
        using var writer = new EntityWriter("key");

        var entity = JsonNode.Parse(writer.Write(Encoding.UTF8.GetBytes(document.Trim()), "LAX", "d1"))!;

        Assert.True(JsonNode.DeepEquals(
            JsonNode.Parse("""
                {"PartitionKey":"LAX","RowKey":"d1","text":"a \"b\" ß","small":5,"large@odata.type":"Edm.Int64","large":"5000000000",
                 "share":0.5,"yes":true,"inner":"{\"a\":[1,\"x\"]}","list":"[1,2]"}
                """),
            entity), entity.ToJsonString());
    }

    [Fact]
    public void From_ResponseWithAResultForEachEntity_IsDone()
    {
        var response = TransactionResponse.From(Multipart("204 No Content", "204 No Content"), operations: 2);
        Assert.Null(response.Error);
    }

    [Fact]
    public void From_ResponseWithTooFewResults_IsNotDone()
    {
        var response = TransactionResponse.From(Multipart("204 No Content"), operations: 2);
        Assert.Equal((0, "The response has 1 results for 2 entities."), (response.Status, response.Error!.Text));
    }

    [Fact]
    public void From_ResponseWithAnError_IsTheErrorOfItsOperation()
    {
        var body = Multipart(
            "409 Conflict",
            """{"odata.error":{"code":"EntityAlreadyExists","message":{"lang":"en-US","value":"7:It exists: yes.\nTime:1"}}}""");
        var response = TransactionResponse.From(body, operations: 2);
        Assert.Equal((409, new TableError("EntityAlreadyExists", "It exists: yes.", 7)), (response.Status, response.Error));
    }

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
        Assert.DoesNotContain(
            "c2VjcmV0", Assert.Throws<FormatException>(() => TableAccount.Parse(text)).Message, StringComparison.Ordinal);

    private static byte[] Multipart(params string[] parts)
    {
        var error = parts.FirstOrDefault(part => part.StartsWith('{'));
        var statuses = parts.Where(part => part != error).Select(
            status => $"--c\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 {status}\r\nDataServiceVersion: 3.0;\r\n\r\n{error}\r\n");
        return Encoding.UTF8.GetBytes(
            $"--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n{string.Concat(statuses)}--c--\r\n--b--\r\n");
    }
}
