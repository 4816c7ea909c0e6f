namespace ScaleOut.Tests.Shared.Storage;

public sealed class DurableFileTests : IDisposable
{
    private const int Rounds = 100;
    private const int Callers = 4;

    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task TryCreate_ManyAtTheSameInstant_OneWinsAndItsContentStays()
    {
        using var instant = new Barrier(Callers);
        var won = await Task.WhenAll(Enumerable.Range(0, Callers).Select(caller => Task.Factory.StartNew(
            () => Enumerable.Range(0, Rounds).Select(round =>
            {
                instant.SignalAndWait(Cancellation);
                var content = Encoding.UTF8.GetBytes($"{caller}");
                return DurableFile.TryCreateAsync(PathOf($"{round}"), content, Cancellation).GetAwaiter().GetResult();
            }).ToList(),
            Cancellation, TaskCreationOptions.LongRunning, TaskScheduler.Default)));

        for (var round = 0; round < Rounds; round++)
        {
            var winner = Assert.Single(Enumerable.Range(0, Callers), caller => won[caller][round]);
            Assert.Equal($"{winner}", await File.ReadAllTextAsync(PathOf($"{round}"), Cancellation));
        }

        Assert.Equal(Rounds, Entries().Length);
    }

    [Fact]
    public async Task Write_FolderThatMustExistIsGone_IsAnErrorAndCreatesNothing()
    {
        var gone = PathOf("gone");
        var path = Path.Combine(gone, "legs", "0000", "result.json");

        await Assert.ThrowsAsync<DirectoryNotFoundException>(
            () => DurableFile.WriteAsync(path, "x"u8.ToArray(), Cancellation, within: gone));
        await Assert.ThrowsAsync<DirectoryNotFoundException>(
            () => DurableFile.TryCreateAsync(path, "x"u8.ToArray(), Cancellation, within: gone));
        Assert.Empty(Entries());

        Directory.CreateDirectory(gone);
        await DurableFile.WriteAsync(path, "x"u8.ToArray(), Cancellation, within: gone);
        Assert.Equal("x", await File.ReadAllTextAsync(path, Cancellation));
    }

    [Fact]
    public async Task TryCreate_FileExists_LeavesItUnchanged()
    {
        await DurableFile.WriteAsync(PathOf("there"), "there"u8.ToArray(), Cancellation);
        Assert.False(await DurableFile.TryCreateAsync(PathOf("there"), "new"u8.ToArray(), Cancellation));
        Assert.Equal("there", await File.ReadAllTextAsync(PathOf("there"), Cancellation));
        Assert.Equal(["there"], Entries());
    }

    [Fact]
    public async Task Write_FolderAtTheFilesPlace_FailsAndLeavesNoTemporaryFile()
    {
        Directory.CreateDirectory(PathOf("item"));
        await File.WriteAllTextAsync(PathOf("item/inner"), "x", Cancellation);
        await Assert.ThrowsAnyAsync<SystemException>(() => DurableFile.WriteAsync(PathOf("item"), "x"u8.ToArray(), Cancellation));
        Assert.Equal(["item", "item/inner"], Entries());
    }

    [Fact]
    public async Task Write_OwnerOnlyOverAFileThatAllMayRead_OnlyTheOwnerMayRead()
    {
        await File.WriteAllTextAsync(PathOf("secret"), "before", Cancellation);

        await DurableFile.WriteAsync(PathOf("secret"), "after"u8.ToArray(), Cancellation, DurableFile.OwnerOnly);

        Assert.Equal("after", await File.ReadAllTextAsync(PathOf("secret"), Cancellation));
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(PathOf("secret")));
    }

    [Fact]
    public async Task DeleteTemporaryFiles_LeftByAKilledProcess_DeletesThemAndNothingElse()
    {
        await DurableFile.WriteAsync(PathOf("legs/0000/result.json"), "x"u8.ToArray(), Cancellation);
        await File.WriteAllTextAsync(PathOf("legs/0000/result.json.tmp-4711"), "x", Cancellation);
        await File.WriteAllTextAsync(PathOf("spec.json.tmp-4711"), "x", Cancellation);

        DurableFile.DeleteTemporaryFiles(_folder.Path);

        Assert.Equal(["legs", "legs/0000", "legs/0000/result.json"], Entries());
    }

    [Fact]
    public void FlushFolder_NoSuchFolder_Throws()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Folders are not flushed on Windows.");
        Assert.Throws<IOException>(() => DurableFile.FlushFolder(PathOf("absent")));
    }

    private string PathOf(string name) => Path.Combine(_folder.Path, name);

    private string[] Entries() => [.. Directory.EnumerateFileSystemEntries(_folder.Path, "*", SearchOption.AllDirectories)
        .Select(path => Path.GetRelativePath(_folder.Path, path).Replace(Path.DirectorySeparatorChar, '/'))
        .Order(StringComparer.Ordinal)];
}
