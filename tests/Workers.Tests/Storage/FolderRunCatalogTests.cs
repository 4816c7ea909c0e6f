namespace ScaleOut.Tests.Workers.Storage;

public sealed class FolderRunCatalogTests : RunCatalogContract, IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public FolderRunCatalogTests() => Catalog = new OfClaimedRuns(new FolderRunCatalog(_folder.Path), _folder);

    internal override IRunCatalog Catalog { get; }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task List_RunsThatWereOnlyClaimed_HaveTheNameOfTheirSpec()
    {
        var before = DateTimeOffset.UtcNow.AddSeconds(-2);
        var store = new FolderRunStore(_folder.Path);
        await new RunFiles(store, "claimed").TryClaimAsync(new RunSpec { Id = "claimed", Name = "by hand" }, Cancellation);
        await store.TryCreateAsync("experiment", "experiment.json", """{"name":"of the console"}"""u8.ToArray(), Cancellation);
        await store.TryCreateAsync("broken", "spec.json", "{ broken"u8.ToArray(), Cancellation);
        Directory.CreateDirectory(Path.Combine(_folder.Path, "no-run"));

        var runs = (await Catalog.ListAsync(null, 10, Cancellation)).Runs;

        Assert.Equal(
            [("broken", null, false), ("claimed", "by hand", false), ("experiment", "of the console", true)],
            runs.OrderBy(run => run.Id, StringComparer.Ordinal).Select(run => (run.Id, run.Name, run.IsExperiment)));
        Assert.All(runs, run => Assert.InRange(run.StartedAt, before, DateTimeOffset.UtcNow.AddSeconds(2)));
    }

    [Fact]
    public async Task List_RunsInWhichNothingHappened_AreNotReadAgain()
    {
        await Catalog.AddAsync(new RunListing("old", "as it was", DateTimeOffset.UnixEpoch), Cancellation);
        await Catalog.AddAsync(new RunListing("again", "first", DateTimeOffset.UnixEpoch), Cancellation);
        MakeOld("old", "again");
        await Catalog.ListAsync(null, 10, Cancellation);

        // No item is added or removed, so the list can only notice this change by reading the item.
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "old", "listing.json"), "{ broken", Cancellation);
        MakeOld("old");
        Directory.Delete(Path.Combine(_folder.Path, "again"), recursive: true);
        await Catalog.AddAsync(new RunListing("again", "second", DateTimeOffset.UnixEpoch), Cancellation);

        Assert.Equal(["second", "as it was"], (await Catalog.ListAsync(null, 10, Cancellation)).Runs.Select(run => run.Name));
    }

    [Fact]
    public async Task List_NoSuchFolder_IsEmpty() =>
        Assert.Empty((await new FolderRunCatalog(Path.Combine(_folder.Path, "nowhere")).ListAsync(null, 10, Cancellation)).Runs);

    [Theory]
    [InlineData("")]
    [InlineData("../x")]
    public async Task List_InvalidContinuation_IsRejected(string continuation) =>
        await Assert.ThrowsAsync<FormatException>(() => Catalog.ListAsync(continuation, 10, Cancellation));

    private void MakeOld(params string[] runs)
    {
        foreach (var run in runs)
            Directory.SetLastWriteTimeUtc(Path.Combine(_folder.Path, run), DateTime.UnixEpoch.AddYears(50));
    }

    /// <summary>Adds runs as the interface does, which claims them first.</summary>
    private sealed class OfClaimedRuns(FolderRunCatalog catalog, TemporaryFolder folder) : IRunCatalog
    {
        public Task AddAsync(RunListing run, CancellationToken cancellationToken)
        {
            folder.StoreWith(run.Id);
            return catalog.AddAsync(run, cancellationToken);
        }

        public Task<RunPage> ListAsync(
            string? continuation, int pageSize, CancellationToken cancellationToken, Func<RunListing, bool>? where = null) =>
            catalog.ListAsync(continuation, pageSize, cancellationToken, where);
    }
}
