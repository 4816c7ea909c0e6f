using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Simulator.Protocol;

public sealed class AuthenticationTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Request_WrongKey_IsUnauthorized(ConnectionMode mode)
    {
        using CosmosClient client = AccountClients.Create(Account, mode, key: Convert.ToBase64String(new byte[64]));

        CosmosException e = await Assert.ThrowsAsync<CosmosException>(() => client.CreateDatabaseAsync("never", cancellationToken: Token));

        Assert.Equal(HttpStatusCode.Unauthorized, e.StatusCode);
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Request_OverPlainHttp_WorksToo(ConnectionMode mode)
    {
        using CosmosClient client = AccountClients.Create(Account, mode, https: false);

        Assert.NotNull(await client.ReadAccountAsync());
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("nonsense")]
    [InlineData("type%3dmaster%26ver%3d1.0%26sig%3d")]
    [InlineData("type%3dmaster%26ver%3d1.0%26sig%3dAAAA")]
    [InlineData("type%3daad%26ver%3d1.0%26sig%3dAAAA")]
    [InlineData("type%3dmaster%26ver%3d1.0%26sig%3d%ZZ")]
    public async Task Request_BadAuthorization_IsUnauthorized(string? authorization)
    {
        using var wire = new WireClient(Account);

        using HttpResponseMessage response = await wire.SendAsync(HttpMethod.Get, "/dbs", change: request =>
        {
            request.Headers.Remove("authorization");
            if (authorization is not null)
                request.Headers.TryAddWithoutValidation("authorization", authorization);
        });

        Assert.Equal(HttpStatusCode.Unauthorized, response.StatusCode);
    }

    [Theory]
    [InlineData(null, HttpStatusCode.Unauthorized)]
    [InlineData("yesterday", HttpStatusCode.Unauthorized)]
    [InlineData("2026-01-01T00:00:00Z", HttpStatusCode.Unauthorized)]
    [InlineData("Thu, 01 Jan 1970 00:00:00 GMT", HttpStatusCode.Forbidden)]
    public async Task Request_BadDate_IsTurnedAway(string? date, HttpStatusCode expected)
    {
        using var wire = new WireClient(Account);

        using HttpResponseMessage response = await wire.SendAsync(HttpMethod.Get, "/dbs", change: request =>
        {
            request.Headers.Remove("x-ms-date");
            request.Headers.Remove("authorization");
            if (date is not null)
                request.Headers.Add("x-ms-date", date);
            request.Headers.TryAddWithoutValidation("authorization", wire.Sign("GET", "/dbs", date ?? ""));
        });

        Assert.Equal(expected, response.StatusCode);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    [InlineData(720)]
    public async Task Request_AfterTheMachinesClockWasSet_IsServed(int hours)
    {
        var time = new ShiftedTime();
        await using SimulatedAccount account = await SimulatedAccount.StartAsync(new SimulatedAccountOptions(), time, Token);
        using var wire = new WireClient(account);
        HttpStatusCode before = await SendAtAsync(wire, TimeSpan.Zero);
        time.Offset = TimeSpan.FromHours(hours);

        HttpStatusCode after = await SendAtAsync(wire, time.Offset);
        HttpStatusCode signedJustBefore = await SendAtAsync(wire, TimeSpan.Zero);
        HttpStatusCode farOff = await SendAtAsync(wire, time.Offset * 2);

        Assert.Equal([HttpStatusCode.OK, HttpStatusCode.OK, HttpStatusCode.OK], [before, after, signedJustBefore]);
        Assert.Equal(HttpStatusCode.Forbidden, farOff);
    }

    private static async Task<HttpStatusCode> SendAtAsync(WireClient wire, TimeSpan offset)
    {
        using HttpResponseMessage response = await wire.SendAsync(HttpMethod.Get, "/dbs", change: request =>
        {
            string date = (DateTime.UtcNow + offset).ToString("r", CultureInfo.InvariantCulture);
            request.Headers.Remove("x-ms-date");
            request.Headers.Remove("authorization");
            request.Headers.Add("x-ms-date", date);
            request.Headers.TryAddWithoutValidation("authorization", wire.Sign("GET", "/dbs", date));
        });
        return response.StatusCode;
    }

    [Fact]
    public async Task Request_SignedForAnotherPath_IsUnauthorized()
    {
        using var wire = new WireClient(Account);
        string date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);

        using HttpResponseMessage response = await wire.SendAsync(HttpMethod.Get, "/dbs/other", change: request =>
        {
            request.Headers.Remove("authorization");
            request.Headers.TryAddWithoutValidation("authorization", wire.Sign("GET", "/dbs/one", date));
        });

        Assert.Equal(HttpStatusCode.Unauthorized, response.StatusCode);
    }
}
