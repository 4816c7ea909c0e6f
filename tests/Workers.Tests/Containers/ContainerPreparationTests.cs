namespace ScaleOut.Tests.Workers.Containers;

public sealed class ContainerPreparationTests : IDisposable
{
    private const string Own = "scaleout/run-r1";
    private const string Named = "scaleout/books";

    private static readonly AccountConnection Account =
        new() { Endpoint = new Uri("https://books.example/"), Key = "a2V5", Simulated = true };

    private readonly TemporaryFolder _runs = new();
    private readonly FakePlane _plane = new();
    private int _calls;

    private static RunSpec OwnSpec => new() { Id = "r1" };

    private static RunSpec NamedSpec => new() { Id = "r1", Container = new ContainerSpec { Name = "books" } };

    public void Dispose() => _runs.Dispose();

    [Fact]
    public async Task PrepareAsync_Own_CreatesTheContainerOfTheSpec()
    {
        var container = new ContainerSpec { Database = "shop", Throughput = 9_000, Autoscale = true, PartitionKeyPath = "/id" };

        var prepared = await PrepareAsync(
            OwnSpec with { Container = container with { Indexing = IndexingMode.Consistent, ExcludedPaths = ["/SomeText/?"] } });

        Assert.Equal((true, true, 0L, 5_000d), (prepared.Created, prepared.Simulated, prepared.CountBefore, prepared.BudgetPerSecond));
        Assert.Equal(new ContainerTarget("shop", "run-r1", "/id"), prepared.Target);
        var definition = Assert.Single(_plane.Created);
        var made = definition.Spec;
        Assert.Equal((9_000, true, IndexingMode.Consistent), (made.Throughput, made.Autoscale, made.Indexing));
        Assert.Equal(["/*"], definition.PolicyIncludedPaths);
        Assert.Equal(["/SomeText/?", "/\"_etag\"/?"], definition.PolicyExcludedPaths);
    }

    [Fact]
    public async Task PrepareAsync_EverythingExcludedButTwoPaths_CreatesThatPolicy()
    {
        var container = new ContainerSpec
        {
            ExcludedPaths = ["/*"], IncludedPaths = ["/KeyNumber/?", "/SomeText/?"], CompositeIndexes = ["/KeyNumber, /SomeText DESC"],
            TimeToLive = 3_600,
        };

        await PrepareAsync(OwnSpec with { Container = container });

        var definition = Assert.Single(_plane.Created);
        Assert.Equal(["/KeyNumber/?", "/SomeText/?"], definition.PolicyIncludedPaths);
        Assert.Equal(["/*", "/\"_etag\"/?"], definition.PolicyExcludedPaths);
        Assert.Equal([("/KeyNumber", false), ("/SomeText", true)], Assert.Single(definition.PolicyCompositeIndexes));
        Assert.Equal(3_600, definition.Spec.TimeToLive);
    }

    [Fact]
    public async Task PrepareAsync_NamedContainerWithAnotherHierarchicalKey_IsRejected()
    {
        _plane.Databases.Add("scaleout");
        _plane.Containers[Named] = new ContainerFacts { PartitionKeyPaths = ["/PartitionKey", "/id"] };
        RunSpec With(params string[] paths) => NamedSpec with { Container = NamedSpec.Container with { PartitionKeyPaths = paths } };

        var prepared = await PrepareAsync(With("/PartitionKey", "/id"));

        Assert.Equal(["/PartitionKey", "/id"], prepared.Target.KeyPaths);
        Assert.Equal(
            "container.partitionKeyPaths: scaleout/books is partitioned by /PartitionKey + /id, the run's documents by "
                + "/id + /PartitionKey.",
            await RejectionAsync(With("/id", "/PartitionKey") with { Id = "r2" }));
    }

    [Fact]
    public async Task PrepareAsync_SharedThroughputOfTheSimulatedAccount_MakesTheDatabaseWithIt()
    {
        var prepared = await PrepareAsync(OwnSpec with { Container = new() { Throughput = 9_000, SharedThroughput = true } });

        Assert.Equal(9_000, prepared.BudgetPerSecond);
        Assert.True(Assert.Single(_plane.Created).Spec.SharedThroughput);
        Assert.Equal(["scaleout/run-r1 shares 9000 RU/s with the other containers of its database."], prepared.Warnings);
    }

    /// <summary>A run leaves its database behind, so on a real account it makes none whose throughput is billed.</summary>
    [Theory]
    [InlineData(true, true, null)]
    [InlineData(true, false, "container.sharedThroughput: no throughput of the database scaleout can be read: either it has none that its "
        + "containers share, or this identity may not read it.")]
    [InlineData(false, false, "container.sharedThroughput: there is no database scaleout whose throughput could be shared.")]
    public async Task PrepareAsync_SharedThroughputOfARealAccount_IsThatOfADatabaseThatIsThere(bool exists, bool shared, string? rejection)
    {
        var spec = OwnSpec with { Container = new() { SharedThroughput = true } };
        _plane.Throughput = shared ? new(7_000, SharedByDatabase: true) : null;
        if (exists)
            _plane.Databases.Add("scaleout");
        var preparation = new ContainerPreparation(
            spec, _runs.StoreWith("r1"), _plane, _plane.CountAsync, new(Account with { Simulated = false }));

        if (rejection is null)
        {
            Assert.Equal(7_000, (await preparation.PrepareAsync(TestContext.Current.CancellationToken)).BudgetPerSecond);
            return;
        }

        var error = await Assert.ThrowsAsync<AccountException>(() => preparation.PrepareAsync(TestContext.Current.CancellationToken));
        Assert.Contains(rejection, error.Message, StringComparison.Ordinal);
        Assert.Empty(_plane.Created);
        Assert.True(await preparation.GiveUpAsync(TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData(IndexingMode.Lazy, true, true)]
    [InlineData(IndexingMode.Lazy, false, false)]
    [InlineData(IndexingMode.None, false, true)]
    public async Task PrepareAsync_IndexingMode_ReportsWhetherTheAccountKeptIt(IndexingMode asked, bool hasLazy, bool kept)
    {
        _plane.HasLazyIndexing = hasLazy;
        var prepared = await PrepareAsync(OwnSpec with { Container = new ContainerSpec { Indexing = asked } });
        Assert.Equal(kept, prepared.KeptIndexing);
        Assert.Equal(kept ? [] : ["scaleout/run-r1 was to have Lazy indexing; the account gave it Consistent."], prepared.Warnings);
    }

    [Fact]
    public async Task PrepareAsync_OwnAgain_KeepsTheFirstCount()
    {
        var first = await PrepareAsync(OwnSpec);
        _plane.Documents[Own] = 700;

        var again = await PrepareAsync(OwnSpec);

        Assert.Equal((first.Target, 0L, true), (again.Target, again.CountBefore, again.Created));
        Assert.Single(_plane.Created);
        _plane.Containers.Clear();
        Assert.Contains("gone", await RejectionAsync(OwnSpec), StringComparison.Ordinal);
        Assert.Single(_plane.Created);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task PrepareAsync_ContainerOfSomebodyElse_IsRejectedEachTimeAndStays(bool appearsMeanwhile)
    {
        if (appearsMeanwhile)
            _plane.BeforeCreate = () => Add(Own);
        else
            Add(Own);

        await AssertNotThisRunsAsync();
        await AssertNotThisRunsAsync();

        Assert.Empty(_plane.Deleted);
        Assert.Contains(Own, _plane.Containers.Keys);
    }

    [Fact]
    public async Task PrepareAsync_CrashedAfterCreating_GoesOnWithItsContainer()
    {
        await CrashAfterCreatingAsync();
        _plane.AfterCreate = () => { };
        Assert.True((await PrepareAsync(OwnSpec)).Created);
        Assert.Single(_plane.Created);
    }

    [Fact]
    public async Task PrepareAsync_CrashedAndTheContainerHoldsDocuments_RejectsAndLeavesIt()
    {
        await CrashAfterCreatingAsync();
        _plane.Documents[Own] = 1;
        await AssertNotThisRunsAsync();
        Assert.Empty(_plane.Deleted);
    }

    [Fact]
    public async Task PrepareAsync_ResponseToTheCreationLost_GoesOnWithItsContainer()
    {
        _plane.AfterCreate = () => FailFirst(HttpStatusCode.RequestTimeout);
        Assert.True((await PrepareAsync(OwnSpec)).Created);
        Assert.Equal(2, _calls);
        Assert.Empty(_plane.Deleted);
    }

    [Fact]
    public async Task PrepareAsync_CreationRejected_LeavesNothingAndNoClaim()
    {
        _plane.BeforeCreate = () => throw FakePlane.Response(HttpStatusCode.BadRequest);

        Assert.Contains("scaleout/run-r1 could not be created", await RejectionAsync(OwnSpec), StringComparison.Ordinal);

        Assert.Empty(_plane.Containers);
        Add(Own);
        await AssertNotThisRunsAsync();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task PrepareAsync_CancelledDuringOrAfterTheCreation_DeletesTheContainer(bool during)
    {
        using var cancellation = new CancellationTokenSource();
        _plane.AfterCreate = () =>
        {
            cancellation.Cancel();
            if (during)
                cancellation.Token.ThrowIfCancellationRequested();
        };

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => PrepareAsync(OwnSpec, cancellation.Token));

        Assert.Equal([Own], _plane.Deleted);
    }

    [Fact]
    public async Task PrepareAsync_CountRejectedAfterCreation_DeletesTheContainer()
    {
        _plane.BeforeCount = () => throw FakePlane.Response(HttpStatusCode.Forbidden);
        Assert.Contains("scaleout/run-r1 could not be counted: ", await RejectionAsync(OwnSpec), StringComparison.Ordinal);
        Assert.Equal([Own], _plane.Deleted);
        Assert.Empty(_plane.Containers);
    }

    [Fact]
    public async Task PrepareAsync_ContainerNotYetVisible_Waits()
    {
        _plane.BeforeCount = () => FailFirst(HttpStatusCode.NotFound);
        Assert.True((await PrepareAsync(OwnSpec)).Created);
        Assert.Equal(2, _calls);
    }

    [Fact]
    public async Task PrepareAsync_NoRightToCreate_SaysWhy()
    {
        _plane.RejectionToCreate = "No right to create.";
        Assert.Equal("No right to create. Or name an existing one with --container.", await RejectionAsync(OwnSpec));
        Assert.Empty(_plane.Containers);
    }

    [Fact]
    public async Task PrepareAsync_Named_IsUsedAsItIs()
    {
        Add(Named);
        _plane.Documents[Named] = 42;
        _plane.RejectionToCreate = "no right to create";

        var prepared = await PrepareAsync(NamedSpec);

        Assert.Equal((false, 42L), (prepared.Created, prepared.CountBefore));
        Assert.Empty(_plane.Created);
        Assert.Empty(prepared.Warnings);
        _plane.Documents[Named] = 99;
        Assert.Equal(42, (await PrepareAsync(NamedSpec)).CountBefore);
    }

    [Fact]
    public async Task PrepareAsync_NamedIsMissing_SaysWhichPart()
    {
        Assert.StartsWith("container.database:", await RejectionAsync(NamedSpec), StringComparison.Ordinal);
        _plane.Databases.Add("scaleout");
        Assert.StartsWith("container.name:", await RejectionAsync(NamedSpec), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/pk")]
    [InlineData("/partitionKey")]
    [InlineData("/PartitionKey", "/id")]
    public async Task PrepareAsync_NamedWithAnotherKey_NamesBoth(params string[] paths)
    {
        Add(Named, paths);

        var error = await RejectionAsync(NamedSpec);

        Assert.StartsWith("container.partitionKeyPath:", error, StringComparison.Ordinal);
        Assert.Contains(paths[0], error, StringComparison.Ordinal);
        Assert.Contains("/PartitionKey.", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task PrepareAsync_NamedExpiresHasUniqueKeysAndSharesThroughput_WarnsOfEach()
    {
        Add(Named);
        _plane.Containers[Named] = _plane.Containers[Named] with { Expires = true, HasUniqueKeys = true };
        _plane.Throughput = new ProvisionedThroughput(4_000, SharedByDatabase: true);

        var prepared = await PrepareAsync(NamedSpec);

        Assert.Equal(3, prepared.Warnings.Count);
        Assert.Equal(4_000, prepared.BudgetPerSecond);
    }

    [Fact]
    public async Task PrepareAsync_ThroughputUnknown_Warns()
    {
        _plane.Throughput = null;
        var prepared = await PrepareAsync(OwnSpec);
        Assert.Null(prepared.BudgetPerSecond);
        Assert.Single(prepared.Warnings);
    }

    [Fact]
    public async Task GiveUpAsync_CreatedAndNeverKept_DeletesIt()
    {
        await BreakOffAsync();
        Assert.True(await GiveUpAsync());
        Assert.Equal([Own], _plane.Deleted);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task GiveUpAsync_ContainerHoldsDocumentsOrIsSomebodyElses_LeavesIt(bool own)
    {
        if (own)
            await BreakOffAsync();
        else
            Add(Own);
        _plane.Documents[Own] = own ? 1 : 0;

        Assert.True(await GiveUpAsync());

        Assert.Empty(_plane.Deleted);
        Assert.Contains(Own, _plane.Containers.Keys);
    }

    [Fact]
    public async Task GiveUpAsync_AccountCannotBeAsked_IsNotDone()
    {
        await BreakOffAsync();
        _plane.BeforeCount = () => throw new HttpRequestException("down");
        Assert.False(await GiveUpAsync());
        Assert.Empty(_plane.Deleted);
    }

    private async Task AssertNotThisRunsAsync() =>
        Assert.Contains("not this run's", await RejectionAsync(OwnSpec), StringComparison.Ordinal);

    private async Task CrashAfterCreatingAsync()
    {
        _plane.AfterCreate = () => throw new InvalidOperationException("the process ends here");
        await Assert.ThrowsAsync<InvalidOperationException>(() => PrepareAsync(OwnSpec));
    }

    private void FailFirst(HttpStatusCode status)
    {
        if (++_calls == 1)
            throw FakePlane.Response(status);
    }

    /// <summary>As if the program was ended between the container's creation and its first count.</summary>
    private async Task BreakOffAsync()
    {
        Add(Own);
        await new RunFiles(_runs.StoreWith("r1"), "r1").WriteContainerClaimAsync(
            new ContainerTarget("scaleout", "run-r1", "/PartitionKey"), held: true, TestContext.Current.CancellationToken);
    }

    private Task<bool> GiveUpAsync() => Preparation(OwnSpec).GiveUpAsync(TestContext.Current.CancellationToken);

    private void Add(string path, params string[] keyPaths)
    {
        _plane.Databases.Add(path.Split('/')[0]);
        _plane.Containers[path] = new ContainerFacts { PartitionKeyPaths = keyPaths is [] ? ["/PartitionKey"] : keyPaths };
    }

    private Task<PreparedContainer> PrepareAsync(RunSpec spec, CancellationToken? token = null) =>
        Preparation(spec).PrepareAsync(token ?? TestContext.Current.CancellationToken);

    private ContainerPreparation Preparation(RunSpec spec) => new(spec, _runs.StoreWith("r1"), _plane, _plane.CountAsync, new(Account));

    private async Task<string> RejectionAsync(RunSpec spec) =>
        (await Assert.ThrowsAsync<AccountException>(() => PrepareAsync(spec))).Message;
}
