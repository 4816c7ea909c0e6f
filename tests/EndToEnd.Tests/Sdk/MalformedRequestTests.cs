using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

/// <summary>Requests that no client should send get the service's status, never 500, and the account goes on.</summary>
public sealed class MalformedRequestTests(AccountFixture fixture) : AccountTests(fixture)
{
    private static readonly string[] Methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];

    [Theory]
    [InlineData("GET", "/nonsense", 400)]
    [InlineData("GET", "/dbs/none", 404)]
    [InlineData("GET", "/dbs/none/colls/c", 404)]
    [InlineData("GET", "/dbs/tests/colls/none/docs/1", 404)]
    [InlineData("PATCH", "/dbs/tests", 405)]
    [InlineData("POST", "/dbs/tests", 405)]
    [InlineData("GET", "/offers/none", 404)]
    [InlineData("GET", "/offers/longer", 400)]
    [InlineData("GET", "/offers/a=b=", 400)]
    [InlineData("GET", "/dbs/tests/colls/{c}/conflicts", 405)]
    [InlineData("PUT", "/dbs/tests/colls/{c}/sprocs", 405)]
    [InlineData("POST", "/dbs/tests/colls/{c}/udfs/none", 405)]
    [InlineData("POST", "/dbs", 400)]
    [InlineData("POST", "/dbs/tests/colls", 400)]
    [InlineData("PUT", "/dbs/tests/colls/{c}", 400)]
    public async Task Request_PathOrMethod_HasTheServicesStatus(string method, string path, int expected)
    {
        var container = await CreateContainerAsync();
        using var response = await SendAsync(
            new HttpMethod(method), path.Replace("{c}", container.Id, StringComparison.Ordinal), "{nonsense");
        Assert.Equal(expected, (int)response.StatusCode);
    }

    [Theory]
    [InlineData("zz")]
    [InlineData("FFFFFFFFFFFFFFFFFF")]
    public async Task Create_WithAnImpossibleChunk_Is400(string size)
    {
        var container = await CreateContainerAsync();
        using var wire = new WireClient(Account);
        var date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        var path = $"/{DocumentsOf(container)}";
        var response = await RawRequest.SendAsync(
            Account.HttpEndpoint.Port,
            $"POST {path} HTTP/1.1\r\nHost: localhost\r\nx-ms-date: {date}\r\nauthorization: {wire.Sign("POST", path, date)}\r\n"
            + $"x-ms-documentdb-partitionkey: [\"k\"]\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{size}\r\n");
        Assert.StartsWith("HTTP/1.1 400 ", response, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("x-ms-documentdb-partitionkey", "nonsense", 400)]
    [InlineData("x-ms-documentdb-partitionkey", "\"k\"", 400)]
    [InlineData("x-ms-documentdb-partitionkey", "[\"k\",\"l\"]", 400)]
    [InlineData("x-ms-documentdb-partitionkey", "[[]]", 400)]
    [InlineData("x-ms-documentdb-partitionkey", "[\"other\"]", 400)]
    [InlineData("x-ms-documentdb-partitionkey", "", 400)]
    [InlineData("x-ms-consistency-level", "Strong", 400)]
    [InlineData("x-ms-consistency-level", "nonsense", 400)]
    [InlineData("x-ms-consistency-level", "Eventual", 201)]
    [InlineData("x-ms-session-token", "nonsense", 400)]
    [InlineData("x-ms-cosmos-intended-collection-rid", "other", 400)]
    [InlineData("If-Match", "\"other\"", 201)]
    [InlineData("x-ms-documentdb-isquery", "True", 400)]
    [InlineData("x-ms-cosmos-is-query-plan-request", "True", 400)]
    [InlineData("x-ms-cosmos-is-batch-request", "True", 400)]
    public async Task Create_Header_HasTheServicesStatus(string name, string value, int expected)
    {
        var container = await CreateContainerAsync();
        using var wire = new WireClient(Account);
        using var response = await wire.SendAsync(
            HttpMethod.Post, DocumentsOf(container), """{"id":"1","pk":"k"}""", request =>
            {
                request.Headers.TryAddWithoutValidation("x-ms-documentdb-partitionkey", "[\"k\"]");
                request.Headers.Remove(name);
                request.Headers.TryAddWithoutValidation(name, value);
            });

        Assert.Equal(expected, (int)response.StatusCode);
    }

    [Fact]
    public async Task Create_HugeBody_IsTooLarge()
    {
        var container = await CreateContainerAsync();
        using var response = await SendAsync(
            HttpMethod.Post, DocumentsOf(container), new byte[20_000_000], ("x-ms-documentdb-partitionkey", "[\"k\"]"));
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, response.StatusCode);
    }

    [Fact]
    public async Task Requests_RandomButSigned_NeverGet500()
    {
        var container = await CreateContainerAsync();
        var random = new Random(42);
        using var wire = new WireClient(Account);
        string[] parts =
        ["dbs", "tests", "colls", container.Id, "docs", "pkranges", "offers", "1", "x y", "%C3%BC", "%00", "sprocs", "AAAAAA=="];
        string[] names =
        [
            "x-ms-documentdb-partitionkey", "x-ms-documentdb-isquery", "x-ms-documentdb-is-upsert", "x-ms-cosmos-is-batch-request",
            "x-ms-cosmos-batch-atomic", "x-ms-continuation", "x-ms-max-item-count", "x-ms-session-token", "x-ms-start-epk",
            "x-ms-documentdb-partitionkeyrangeid", "x-ms-end-epk", "x-ms-offer-throughput", "x-ms-cosmos-offer-autopilot-settings",
            "x-ms-cosmos-is-query-plan-request", "If-Match", "If-None-Match", "A-IM", "x-ms-consistency-level",
            "x-ms-cosmos-intended-collection-rid",
        ];
        string[] values =
        [
            "True", "[\"k\"]", "[]", "[{}]", "{}", "-1", "0", "999999999999", "0:-1#5", "+RID:~0#5", "05C1", "xyz", "Session",
            "{\"maxThroughput\":4000}", "", "*",
        ];
        string[] bodies =
        [
            "", "{}", "[]", "{\"id\":\"1\",\"pk\":\"k\"}", "{\"query\":\"SELECT * FROM c WHERE c.x = 1\"}", "{\"query\":1}",
            "{\"id\":\"x\",\"partitionKey\":{\"paths\":[\"/a\"]}}", "{\"content\":{}}", "\"\\uD800\"",
            "{\"id\":\"\\uD800\",\"pk\":\"\\uDC00\"}",
        ];

        for (var i = 0; i < 1_500; i++)
        {
            var path = "/" + string.Join('/', Enumerable.Range(0, random.Next(0, 7)).Select(
                at => random.Next(3) == 0 ? parts[random.Next(parts.Length)] : parts[Math.Min(at, 4)]));
            object body = random.Next(4) == 0 ? RandomBytes(random) : bodies[random.Next(bodies.Length)];
            // The test keeps its own container and database.
            var method = Methods[random.Next(Methods.Length)];
            if (method == "DELETE" && path.Split('/').Length < 6)
                continue;
            using var response = await wire.SendAsync(new HttpMethod(method), path, body, request =>
            {
                for (var header = random.Next(6); header > 0; header--)
                    request.Headers.TryAddWithoutValidation(names[random.Next(names.Length)], values[random.Next(values.Length)]);
            });
            Assert.True((int)response.StatusCode < 500, $"{(int)response.StatusCode} for {method} {path} {body}");
        }

        Assert.NotNull(await Client(ConnectionMode.Gateway).ReadAccountAsync());
    }

    [Fact]
    public async Task Batches_WithBytesChanged_NeverGet500()
    {
        var container = await CreateContainerAsync();
        var random = new Random(43);
        var valid = BatchBodies.Write([(0, "[\"k\"]", null, """{"id":"1","pk":"k"}"""), (20, "[\"k\"]", null, """{"id":"2","pk":"k"}""")]);
        for (var i = 0; i < 600; i++)
        {
            byte[] body = [.. valid];
            for (var change = random.Next(4); change > 0; change--)
                body[random.Next(body.Length)] = (byte)random.Next(256);
            if (random.Next(3) == 0)
                body = body[..random.Next(body.Length)];
            if (random.Next(2) == 0)
                BatchBodies.FixChecksums(body);
            using var response = await SendAsync(
                HttpMethod.Post, DocumentsOf(container), body, ("x-ms-cosmos-is-batch-request", "True"),
                ("x-ms-cosmos-batch-atomic", random.Next(2) == 0 ? "True" : "False"), ("x-ms-documentdb-partitionkey", "[\"k\"]"));
            Assert.True((int)response.StatusCode < 500, $"{(int)response.StatusCode} for {Convert.ToHexString(body)}");
        }

        Assert.InRange(LedgerOf(container).DocumentCount, 1, 100);
    }

    [Fact]
    public async Task Connections_WithBrokenHttp_DoNotHarmTheAccount()
    {
        string[] requests =
        [
            "nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "POST /dbs HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
            "POST /dbs HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nshort", "\0\0\0\0",
        ];
        foreach (var request in requests)
        {
            using var client = new TcpClient();
            await client.ConnectAsync(Account.HttpEndpoint.Host, Account.HttpEndpoint.Port, Token);
            await client.GetStream().WriteAsync(Encoding.ASCII.GetBytes(request), Token);
        }

        Assert.NotNull(await Client(ConnectionMode.Gateway).ReadAccountAsync());
    }

    private static byte[] RandomBytes(Random random)
    {
        var bytes = new byte[random.Next(200)];
        random.NextBytes(bytes);
        return bytes;
    }
}
