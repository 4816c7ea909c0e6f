namespace ScaleOut.Tests.Shared.Storage;

public sealed class LeftContainersTests
{
    private static readonly DateTimeOffset Now = new(2026, 11, 21, 20, 0, 0, TimeSpan.Zero);

    private readonly MemoryRunStore _store = new();
    private readonly MemoryRunCatalog _catalog = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Find_RunsOfEveryKind_GivesThoseWhoseOwnContainerMayBeThere()
    {
        var ended = new RunEnded(new RunOutcome { RunId = "ended", State = RunState.Complete, Remaining = 0 }, Now);
        await (await AddAsync("ended", created: true)).WriteEndedAsync(ended, Cancellation);
        await AddAsync("gone-orchestration", created: true);
        await AddAsync("never-prepared", created: null);
        await (await AddAsync("deleted", created: true)).MarkContainerGoneAsync(Cancellation);
        await AddAsync("named", created: false, new ContainerSpec { Name = "mine" });
        await AddAsync("named-never-prepared", created: null, new ContainerSpec { Name = "mine" });
        await AddAsync("kept", created: true, new ContainerSpec { Keep = true });
        await _catalog.AddAsync(new RunListing("no-spec", null, Now), Cancellation);
        var left = await FindAsync(since: Now.AddDays(-1));

        Assert.Equal(["ended", "gone-orchestration", "never-prepared"], left.Select(entry => entry.Run.Id).Order(StringComparer.Ordinal));
        Assert.Equivalent(ended, left.Single(entry => entry.Run.Id == "ended").Ended);
        Assert.Equal("run-ended", left.Single(entry => entry.Run.Id == "ended").Prepared!.Target.Name);
        Assert.All(left.Where(entry => entry.Run.Id != "ended"), entry => Assert.Null(entry.Ended));
        Assert.Null(left.Single(entry => entry.Run.Id == "never-prepared").Prepared);
    }

    [Fact]
    public async Task Find_RunThatIsMeasuredAgain_BeganWhenItWasResumed()
    {
        await (await AddAsync("again", created: null, startedAt: Now.AddHours(-9)))
            .WriteResumptionAsync(new RunResumption(2, "again:again-2", Now), Cancellation);
        var left = Assert.Single(await FindAsync(since: Now.AddDays(-1)));
        Assert.Equal(Now, left.Run.StartedAt);
    }

    [Fact]
    public async Task Find_ManyOldRuns_StopsAtTheFirstPageWithARunThatIsTooOld()
    {
        for (var i = 0; i < 450; i++)
            await AddAsync($"run-{i}", created: true, startedAt: Now.AddHours(-i));
        Assert.Equal(121, (await FindAsync(since: Now.AddHours(-120))).Count);
        Assert.Equal(2, _catalog.Pages);
    }

    private async Task<List<LeftContainer>> FindAsync(DateTimeOffset since)
    {
        var found = new List<LeftContainer>();
        await foreach (var left in LeftContainers.FindAsync(_catalog, _store, since, Cancellation))
            found.Add(left);
        return found;
    }

    private async Task<RunFiles> AddAsync(string id, bool? created, ContainerSpec? container = null, DateTimeOffset? startedAt = null)
    {
        var files = new RunFiles(_store, id);
        await _catalog.AddAsync(new RunListing(id, null, startedAt ?? Now), Cancellation);
        await files.TryClaimAsync(new RunSpec { Id = id, Container = container ?? new() }, Cancellation);
        if (created is { } own)
            await files.CreatePreparedIfAbsentAsync(
                new PreparedContainer { Target = new("db", $"run-{id}", "/p"), Created = own, Simulated = false, CountBefore = 0 },
                Cancellation);
        return files;
    }
}
