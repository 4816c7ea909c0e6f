using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.EndToEnd.Sdk;

public sealed class AuthenticationTests(AccountFixture fixture) : AccountTests(fixture)
{
    [Theory, MemberData(nameof(Modes))]
    public async Task Request_WrongKey_IsUnauthorized(ConnectionMode mode)
    {
        using var client = AccountClients.Create(Account, mode, key: Convert.ToBase64String(new byte[64]));
        await FailsAsync(HttpStatusCode.Unauthorized, () => client.CreateDatabaseAsync("never", cancellationToken: Token));
    }

    [Theory, MemberData(nameof(Modes))]
    public async Task Request_OverPlainHttp_WorksToo(ConnectionMode mode)
    {
        using var client = AccountClients.Create(Account, mode, https: false);
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
        using var response = await wire.SendAsync(HttpMethod.Get, "/dbs", change: request =>
        {
            request.Headers.Remove("authorization");
            if (authorization is not null)
                request.Headers.TryAddWithoutValidation("authorization", authorization);
        });

        Assert.Equal(HttpStatusCode.Unauthorized, response.StatusCode);
    }

    [Theory]
    [InlineData("r")]
    [InlineData("lower")]
    [InlineData("UPPER")]
    public async Task Request_DateInAnyCase_IsServed(string form)
    {
        var date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        using var wire = new WireClient(Account);
        using var response = await SendAsync(
            wire, form == "lower" ? date.ToLowerInvariant() : form == "UPPER" ? date.ToUpperInvariant() : date);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
    }

    [Theory]
    [InlineData(null, HttpStatusCode.Unauthorized)]
    [InlineData("yesterday", HttpStatusCode.Unauthorized)]
    [InlineData("2026-01-01T00:00:00Z", HttpStatusCode.Unauthorized)]
    [InlineData("Thu, 01 Jan 1970 00:00:00 GMT", HttpStatusCode.Forbidden)]
    public async Task Request_BadDate_IsRejected(string? date, HttpStatusCode expected)
    {
        using var wire = new WireClient(Account);
        using var response = await SendAsync(wire, date);
        Assert.Equal(expected, response.StatusCode);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    [InlineData(720)]
    public async Task Request_AfterTheMachinesClockWasSet_IsServed(int hours)
    {
        var time = new ShiftedTime();
        await using var account = await SimulatedAccount.StartAsync(new AccountSettings(), time, Token);
        using var wire = new WireClient(account);
        var before = await SendAtAsync(wire, TimeSpan.Zero);
        time.Offset = TimeSpan.FromHours(hours);

        var after = await SendAtAsync(wire, time.Offset);
        var signedJustBefore = await SendAtAsync(wire, TimeSpan.Zero);
        var farOff = await SendAtAsync(wire, time.Offset * 2);

        Assert.Equal(
            [HttpStatusCode.OK, HttpStatusCode.OK, HttpStatusCode.OK, HttpStatusCode.Forbidden], [before, after, signedJustBefore, farOff]);
    }

    [Fact]
    public async Task Request_SignedForAnotherPath_IsUnauthorized()
    {
        using var wire = new WireClient(Account);
        var date = DateTime.UtcNow.ToString("r", CultureInfo.InvariantCulture);
        using var response = await SendAsync(wire, date, "/dbs/one", "/dbs/other");
        Assert.Equal(HttpStatusCode.Unauthorized, response.StatusCode);
    }

    /// <summary>Sends a request that is signed for a path and a date.</summary>
    private static Task<HttpResponseMessage> SendAsync(WireClient wire, string? date, string signedPath = "/dbs", string path = "/dbs") =>
        wire.SendAsync(HttpMethod.Get, path, change: request =>
        {
            request.Headers.Remove("x-ms-date");
            request.Headers.Remove("authorization");
            if (date is not null)
                request.Headers.Add("x-ms-date", date);
            request.Headers.TryAddWithoutValidation("authorization", wire.Sign("GET", signedPath, date ?? ""));
        });

    private static async Task<HttpStatusCode> SendAtAsync(WireClient wire, TimeSpan offset)
    {
        using var response = await SendAsync(wire, (DateTime.UtcNow + offset).ToString("r", CultureInfo.InvariantCulture));
        return response.StatusCode;
    }
}
