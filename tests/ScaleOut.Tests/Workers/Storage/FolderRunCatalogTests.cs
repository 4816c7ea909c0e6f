using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Tests.Storage;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Workers.Storage;

public sealed class FolderRunCatalogTests : RunCatalogContract, IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public FolderRunCatalogTests() => Catalog = new FolderRunCatalog(_folder.Path);

    internal override IRunCatalog Catalog { get; }

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task List_RunsThatWereOnlyClaimed_AreThereWithTheNameOfTheirSpec()
    {
        var before = DateTimeOffset.UtcNow.AddSeconds(-2);
        var store = new FolderRunStore(_folder.Path);
        await new RunFiles(store, "claimed").TryClaimAsync(new RunSpec { Id = "claimed", Name = "by hand" }, Cancellation);
        await store.TryCreateAsync("broken", "spec.json", "{ broken"u8.ToArray(), Cancellation);
        Directory.CreateDirectory(Path.Combine(_folder.Path, "no-run"));

        var runs = (await Catalog.ListAsync(null, 10, Cancellation)).Runs;

        Assert.Equal([("broken", null), ("claimed", "by hand")], runs.OrderBy(run => run.Id, StringComparer.Ordinal).Select(run => (run.Id, run.Name)));
        Assert.All(runs, run => Assert.InRange(run.StartedAt, before, DateTimeOffset.UtcNow.AddSeconds(2)));
    }

    [Fact]
    public async Task List_NoSuchFolder_IsEmpty() =>
        Assert.Empty((await new FolderRunCatalog(Path.Combine(_folder.Path, "nowhere")).ListAsync(null, 10, Cancellation)).Runs);

    [Theory]
    [InlineData("")]
    [InlineData("../x")]
    public async Task List_ContinuationOfSomebodyElse_IsRefused(string continuation) =>
        await Assert.ThrowsAsync<FormatException>(() => Catalog.ListAsync(continuation, 10, Cancellation));
}
