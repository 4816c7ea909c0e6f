namespace ScaleOut.Tests.Workers.Containers;

/// <summary>Connections that fail before an account responds.</summary>
public sealed class ContainerControlTests : IDisposable
{
    private const string Key = "VmVyeVNlY3JldEtleQ==";

    private readonly TemporaryFolder _runs = new();

    public void Dispose() => _runs.Dispose();

    [Fact]
    public async Task PrepareAsync_UnreachableAccount_RejectsWithItsEndpoint()
    {
        var endpoint = ClosedPort.New();
        var rejection = await RejectionAsync(new AccountConnection { Endpoint = endpoint, Key = Key });
        Assert.Contains(endpoint.ToString(), rejection, StringComparison.Ordinal);
        Assert.Contains("cannot be reached", rejection, StringComparison.Ordinal);
    }

    [Fact]
    public async Task PrepareAsync_MalformedKey_RejectsWithoutShowingIt()
    {
        await using var server = await LoopbackServer.StartAsync(context => context.Response.WriteAsync("{}"));
        var rejection = await RejectionAsync(new AccountConnection { Endpoint = server.Endpoint, Key = "no base64, but secret" });
        Assert.Contains("base64", rejection, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", rejection, StringComparison.Ordinal);
    }

    [Fact]
    public async Task PrepareAsync_OtherServer_SaysThatItIsNoAccount()
    {
        await using var server = await LoopbackServer.StartAsync(context => context.Response.WriteAsync("<html>Welcome</html>"));
        var rejection = await RejectionAsync(new AccountConnection { Endpoint = server.Endpoint, Key = Key });
        Assert.Contains("does not respond like a Cosmos DB account", rejection, StringComparison.Ordinal);
    }

    [Fact]
    public async Task PrepareAsync_Cancelled_Throws()
    {
        using var control = new ContainerControl(new AccountConnection { Endpoint = ClosedPort.New(), Key = Key });
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => control.PrepareAsync(new RunSpec { Id = "r1" }, new FolderRunStore(_runs.Path), new CancellationToken(canceled: true)));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task MayChangeThroughputAsync_PlaneKnows_SaysTheSame(bool may)
    {
        using var control = Control(() => may);
        Assert.Equal(may, await control.MayChangeThroughputAsync("scaleout", TestContext.Current.CancellationToken));
    }

    /// <summary>A run that may not change its RU/s says so itself. A start is not rejected for what is not known.</summary>
    [Fact]
    public async Task MayChangeThroughputAsync_CannotBeAsked_DoesNotSayNo()
    {
        using var control = Control(() => throw new Azure.RequestFailedException(403, "no right to ask"));
        Assert.True(await control.MayChangeThroughputAsync("scaleout", TestContext.Current.CancellationToken));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Control(() => throw new OperationCanceledException())
            .MayChangeThroughputAsync("scaleout", new CancellationToken(canceled: true)));
    }

    private static ContainerControl Control(Func<bool> mayReplaceThroughput) => new(
        new AccountConnection { Endpoint = ClosedPort.New(), Key = Key },
        (_, _) => new FakePlane { MayReplaceThroughput = mayReplaceThroughput });

    private async Task<string> RejectionAsync(AccountConnection account)
    {
        using var control = new ContainerControl(account);
        var preparation = await control.PrepareAsync(
            new RunSpec { Id = "r1" }, new FolderRunStore(_runs.Path), TestContext.Current.CancellationToken);
        Assert.Null(preparation.Container);
        return Assert.Single(preparation.Rejections);
    }
}
