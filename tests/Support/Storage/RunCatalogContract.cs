namespace ScaleOut.Tests.Support.Storage;

/// <summary>What every list of runs does.</summary>
public abstract class RunCatalogContract
{
    private static readonly DateTimeOffset Zero = new(2026, 11, 21, 20, 0, 0, TimeSpan.Zero);

    protected static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>An empty list.</summary>
    internal abstract IRunCatalog Catalog { get; }

    [Fact]
    public async Task List_NothingAdded_IsOneEmptyPage()
    {
        var page = await Catalog.ListAsync(null, 10, Cancellation);
        Assert.Empty(page.Runs);
        Assert.Null(page.Continuation);
    }

    [Fact]
    public async Task List_RunsInAnyOrder_AreNewestFirstOverAllPages()
    {
        var runs = Enumerable.Range(0, 23).Select(
            i => new RunListing($"run-{i}", i % 3 == 0 ? null : $"Nächte & Öl {i}", Zero.AddMinutes(i))).ToList();
        foreach (var run in Enumerable.Range(0, 23).Select(i => runs[i * 7 % 23]))
            await Catalog.AddAsync(run, Cancellation);

        var (listed, pages) = await ListAllAsync(pageSize: 5);

        Assert.Equal(runs.AsEnumerable().Reverse(), listed);
        Assert.True(pages >= 5);
    }

    [Fact]
    public async Task List_RunsOfOneInstant_AreAllThereByTheirIds()
    {
        foreach (var id in new[] { "b", "a-2", "c", "a" })
            await Catalog.AddAsync(new RunListing(id, null, Zero), Cancellation);
        Assert.Equal(["a", "a-2", "b", "c"], (await ListAllAsync(pageSize: 1)).Runs.Select(run => run.Id));
    }

    [Fact]
    public async Task Add_SameIdAgain_ChangesNothing()
    {
        await Catalog.AddAsync(new RunListing("run", "first", Zero), Cancellation);
        await Catalog.AddAsync(new RunListing("run", "second", Zero.AddHours(1)), Cancellation);
        Assert.Equal([new RunListing("run", "first", Zero)], (await ListAllAsync(pageSize: 10)).Runs);
    }

    [Fact]
    public async Task List_RunAddedBetweenTwoPages_DisturbsNoPage()
    {
        for (var i = 0; i < 4; i++)
            await Catalog.AddAsync(new RunListing($"run-{i}", null, Zero.AddMinutes(i)), Cancellation);
        var first = await Catalog.ListAsync(null, 2, Cancellation);
        await Catalog.AddAsync(new RunListing("newer", null, Zero.AddHours(1)), Cancellation);

        var second = await Catalog.ListAsync(first.Continuation, 2, Cancellation);

        Assert.Equal(["run-3", "run-2"], first.Runs.Select(run => run.Id));
        Assert.Equal(["run-1", "run-0"], second.Runs.Select(run => run.Id));
    }

    [Fact]
    public async Task List_SomeAreWanted_OnlyTheseAreThereAndExperimentsAreMarked()
    {
        for (var i = 0; i < 12; i++)
            await Catalog.AddAsync(new RunListing($"item-{i}", null, Zero.AddMinutes(i)) { IsExperiment = i % 3 == 0 }, Cancellation);
        var (found, _) = await ListAllAsync(pageSize: 3, run => run.IsExperiment);
        Assert.Equal(["item-9", "item-6", "item-3", "item-0"], found.Select(run => run.Id));
        Assert.All(found, run => Assert.True(run.IsExperiment));
    }

    [Fact]
    public async Task List_RunOfAnExperiment_NamesIt()
    {
        await Catalog.AddAsync(new RunListing("of-one", null, Zero) { Experiment = "scaling" }, Cancellation);
        await Catalog.AddAsync(new RunListing("its-own", null, Zero.AddMinutes(1)), Cancellation);
        var page = await Catalog.ListAsync(null, 10, Cancellation);
        Assert.Equal([("its-own", null), ("of-one", "scaling")], page.Runs.Select(run => (run.Id, run.Experiment)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(IRunCatalog.MaxPageSize + 1)]
    public async Task List_PageSizeOutOfRange_Throws(int pageSize) =>
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => Catalog.ListAsync(null, pageSize, Cancellation));

    private async Task<(IReadOnlyList<RunListing> Runs, int Pages)> ListAllAsync(int pageSize, Func<RunListing, bool>? where = null)
    {
        var runs = new List<RunListing>();
        string? continuation = null;
        var pages = 0;
        do
        {
            var page = await Catalog.ListAsync(continuation, pageSize, Cancellation, where);
            Assert.True(page.Runs.Count <= pageSize);
            runs.AddRange(page.Runs);
            continuation = page.Continuation;
            pages++;
        }
        while (continuation is not null);
        return (runs, pages);
    }
}
