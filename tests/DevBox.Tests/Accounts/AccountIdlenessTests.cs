namespace ScaleOut.Tests.DevBox.Accounts;

public sealed class AccountIdlenessTests : IDisposable
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMilliseconds(100);

    private readonly TemporaryFolder _folder = new();

    private string LockFile => Path.Combine(_folder.Path, "lock");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task WaitAsync_NoRequestsAndNoRun_Ends() =>
        await new AccountIdleness(() => 5, LockFile, Timeout).WaitAsync(TestContext.Current.CancellationToken);

    /// <summary>The wait ends after 6 s; for an account that was used it would take six minutes.</summary>
    [Fact]
    public async Task WaitAsync_NeverAnyRequestAndNoRun_EndsLongBefore() =>
        await new AccountIdleness(() => 0, LockFile, TimeSpan.FromMinutes(6)).WaitAsync(TestContext.Current.CancellationToken);

    [Fact]
    public async Task WaitAsync_RequestsComeIn_GoesOn()
    {
        var asked = 0L;
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        long Requests()
        {
            if (++asked == 60)
                enough.Cancel();
            return asked;
        }

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => new AccountIdleness(Requests, LockFile, Timeout).WaitAsync(enough.Token));
    }

    [Fact]
    public async Task WaitAsync_RunIsUnderWay_GoesOn()
    {
        var folder = new RunFolder(_folder.Path, "mine");
        var looks = 0;
        var runLock = RunLock.TryCreate(folder)!;
        long Requests()
        {
            if (++looks == 60)
                runLock.Dispose();
            return 0;
        }

        await new AccountIdleness(Requests, folder.LockFile, Timeout).WaitAsync(TestContext.Current.CancellationToken);

        Assert.True(looks >= 60);
    }
}
