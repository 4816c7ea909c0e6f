using Microsoft.Azure.Cosmos;
using ConnectionMode = Microsoft.Azure.Cosmos.ConnectionMode;

namespace ScaleOut.Tests.Workers.Accounts;

public sealed class GoneLimitTests
{
    /// <summary>Without the limit the SDK sends the query again for ever.</summary>
    [Fact]
    public async Task Count_ThatAlwaysGets410_EndsWithTheReason()
    {
        var gone = new FaultRule { Operation = FaultOperation.Query, Status = 410, SubStatus = 1002 };
        await using var account = await AccountClients.StartAsync(new AccountSettings { PhysicalPartitions = 2, Faults = [gone] });
        using var client = AccountClients.Create(
            account, ConnectionMode.Gateway, options => options.CustomHandlers.Add(new GoneLimit(TimeSpan.FromMilliseconds(200))));
        var container = await AccountClients.CreateContainerAsync(client);
        var target = new ContainerTarget(container.Database.Id, container.Id, "/pk");

        var e = await Assert.ThrowsAsync<CosmosException>(
            () => new DocumentCounter(client).CountAsync(target, TestContext.Current.CancellationToken));

        var error = AccountErrors.Describe(e, account.Connection());
        Assert.Equal(AccountErrorKind.Transient, error.Kind);
        Assert.Contains("410/1002", error.Message, StringComparison.Ordinal);
        using var control = CosmosClientFactory.CreateControl(account.Connection());
        Assert.Single(control.ClientOptions.CustomHandlers.OfType<GoneLimit>());
    }

    [Fact]
    public async Task SendAsync_GoneForTheWholeLimit_IsReplacedUntilAnotherResponse()
    {
        var (time, account) = (new ManualTime(DateTimeOffset.UnixEpoch), new Account());
        var limit = new GoneLimit(GoneLimit.Default, time) { InnerHandler = account };

        Assert.Equal(HttpStatusCode.Gone, await SendAsync(limit));
        time.Advance(GoneLimit.Default - TimeSpan.FromMilliseconds(1));
        Assert.Equal(HttpStatusCode.Gone, await SendAsync(limit));
        time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(HttpStatusCode.ServiceUnavailable, await SendAsync(limit));

        account.Status = HttpStatusCode.TooManyRequests;
        Assert.Equal(HttpStatusCode.TooManyRequests, await SendAsync(limit));
        account.Status = HttpStatusCode.Gone;
        Assert.Equal(HttpStatusCode.Gone, await SendAsync(limit));
    }

    private static async Task<HttpStatusCode> SendAsync(GoneLimit limit)
    {
        using var request = new RequestMessage(HttpMethod.Get, new Uri("dbs/d", UriKind.Relative));
        using var response = await limit.SendAsync(request, TestContext.Current.CancellationToken);
        return response.StatusCode;
    }

    private sealed class Account : RequestHandler
    {
        public HttpStatusCode Status { get; set; } = HttpStatusCode.Gone;

        public override Task<ResponseMessage> SendAsync(RequestMessage request, CancellationToken cancellationToken) =>
            Task.FromResult(new ResponseMessage(Status, request));
    }
}
