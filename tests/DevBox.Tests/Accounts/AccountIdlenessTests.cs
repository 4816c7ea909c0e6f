namespace ScaleOut.Tests.DevBox.Accounts;

public sealed class AccountIdlenessTests : IDisposable
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(6);

    private readonly TemporaryFolder _folder = new();
    private readonly ManualTime _time = new(DateTimeOffset.UnixEpoch);

    private string LockFile => Path.Combine(_folder.Path, "lock");

    private TimeSpan Waited => _time.GetUtcNow() - DateTimeOffset.UnixEpoch;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task WaitAsync_NoRequestsAndNoRun_EndsAfterTheTimeout()
    {
        await WaitAsync(() => 5, TestContext.Current.CancellationToken);
        Assert.InRange(Waited, Timeout, 2 * Timeout);
    }

    /// <summary>The wait takes a sixtieth of that for an account that was used.</summary>
    [Fact]
    public async Task WaitAsync_NeverAnyRequestAndNoRun_EndsLongBefore()
    {
        await WaitAsync(() => 0, TestContext.Current.CancellationToken);
        Assert.InRange(Waited, TimeSpan.FromSeconds(6), TimeSpan.FromSeconds(20));
    }

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

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => WaitAsync(Requests, enough.Token));
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

        await WaitAsync(Requests, TestContext.Current.CancellationToken, folder.LockFile);

        Assert.True(looks >= 60);
    }

    private Task WaitAsync(Func<long> countRequests, CancellationToken cancellationToken, string? lockFile = null) => _time.EndAsync(
        new AccountIdleness(countRequests, lockFile ?? LockFile, Timeout, _time).WaitAsync(cancellationToken), TimeSpan.FromSeconds(3));
}
