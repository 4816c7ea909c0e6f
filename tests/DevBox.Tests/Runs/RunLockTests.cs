namespace ScaleOut.Tests.DevBox.Runs;

public class RunLockTests
{
    [Fact]
    public void TryTake_HeldAlready_GivesNull()
    {
        using var temporary = new TemporaryFolder();
        var folder = new RunFolder(temporary.Path, "mine");

        using (var first = RunLock.TryCreate(folder))
        {
            Assert.NotNull(first);
            Assert.True(RunLock.IsTaken(folder.LockFile));
            Assert.Null(RunLock.TryTake(folder));
        }

        Assert.False(RunLock.IsTaken(folder.LockFile));
        using var second = RunLock.TryTake(folder);
        Assert.NotNull(second);
    }

    [Fact]
    public void TryTake_FolderWasDeleted_IsRejectedAndDoesNotMakeIt()
    {
        using var temporary = new TemporaryFolder();
        var folder = new RunFolder(temporary.Path, "gone");

        var error = Assert.Throws<DirectoryNotFoundException>(() => RunLock.TryTake(folder));

        Assert.Equal($"The folder '{folder.FullPath}' was deleted or moved.", error.Message);
        Assert.False(Directory.Exists(folder.FullPath));
    }

    [Fact]
    public void IsTaken_NoFolder_IsFalse()
    {
        using var temporary = new TemporaryFolder();
        Assert.False(RunLock.IsTaken(Path.Combine(temporary.Path, "absent", "lock")));
    }
}
