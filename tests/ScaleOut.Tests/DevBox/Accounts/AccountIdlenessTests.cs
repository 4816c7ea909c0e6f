namespace ScaleOut.Tests.DevBox.Accounts;

public class AccountIdlenessTests
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMilliseconds(100);

    [Fact]
    public async Task WaitAsync_NothingAskedAndNobodyThere_Ends()
    {
        using var temporary = new TemporaryFolder();
        await new AccountIdleness(() => 5, Path.Combine(temporary.Path, "lock"), Timeout).WaitAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task WaitAsync_NothingWasEverAskedAndNobodyThere_EndsLongBefore()
    {
        using var temporary = new TemporaryFolder();
        var file = Path.Combine(temporary.Path, "lock");
        // It ends after 6 s; an account that was used would wait for six minutes.
        await new AccountIdleness(() => 0, file, TimeSpan.FromMinutes(6)).WaitAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task WaitAsync_RequestsComeIn_GoesOn()
    {
        using var temporary = new TemporaryFolder();
        var asked = 0L;
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        var waiting = new AccountIdleness(
            () =>
            {
                if (++asked == 60)
                    enough.Cancel();
                return asked;
            },
            Path.Combine(temporary.Path, "lock"),
            Timeout).WaitAsync(enough.Token);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
    }

    [Fact]
    public async Task WaitAsync_SomebodyRunsTheRun_GoesOn()
    {
        using var temporary = new TemporaryFolder();
        var folder = new RunFolder(temporary.Path, "mine");
        var looks = 0;
        var runLock = RunLock.TryTake(folder)!;
        var waiting = new AccountIdleness(
            () =>
            {
                if (++looks == 60)
                    runLock.Dispose();
                return 0;
            },
            folder.LockFile,
            Timeout).WaitAsync(TestContext.Current.CancellationToken);

        await waiting;

        Assert.True(looks >= 60);
    }
}
