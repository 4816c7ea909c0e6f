using System.Collections.Concurrent;
using ScaleOut.Workers.Calibration;

namespace ScaleOut.Tests.Workers.Calibration;

public sealed class OpenLoadTests
{
    private const int Beyond = OpenLoad.MostInFlight + 100;

    private static readonly TimeSpan AtOnce = TimeSpan.FromMilliseconds(1);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task RunAsync_MoreHeldUpThanMayBeInFlight_GoesOnWhenTheyEnd()
    {
        var release = new TaskCompletionSource();
        var begun = 0;
        var load = RunAsync(Beyond, async () =>
        {
            if (Interlocked.Increment(ref begun) == OpenLoad.MostInFlight)
                release.SetResult();
            await release.Task;
            return true;
        });

        Assert.True(await load.WaitAsync(TimeSpan.FromMinutes(1), Token));
        Assert.Equal(Beyond, begun);
    }

    [Fact]
    public async Task RunAsync_CancelledWhileHeldUp_EndsWithTheLastOfThem()
    {
        var release = new TaskCompletionSource();
        using var cancel = new CancellationTokenSource();
        var (begun, ended) = (0, 0);
        var load = RunAsync(Beyond, async () =>
        {
            if (Interlocked.Increment(ref begun) == OpenLoad.MostInFlight)
                await cancel.CancelAsync();
            await release.Task;
            Interlocked.Increment(ref ended);
            return true;
        }, cancel.Token);

        await Assert.ThrowsAsync<TimeoutException>(() => load.WaitAsync(TimeSpan.FromMilliseconds(100), Token));
        release.SetResult();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => load.WaitAsync(TimeSpan.FromMinutes(1), Token));
        Assert.Equal(begun, ended);
    }

    [Fact]
    public async Task RunAsync_OneEndsTheLoad_SaysSo() =>
        Assert.False(await RunAsync(Beyond, () => Task.FromResult(false)));

    [Fact]
    public async Task RunAsync_OneFails_GivesItsError() =>
        await Assert.ThrowsAsync<InvalidOperationException>(() => RunAsync(1, () => throw new InvalidOperationException("failed")));

    [Fact]
    public async Task RunAsync_SeveralKinds_HasAsManyOfEachAndNoFixedOrder()
    {
        var kinds = new ConcurrentDictionary<int, int>();
        await OpenLoad.RunAsync(
            300 / AtOnce.TotalSeconds, AtOnce, kinds: 3,
            (n, kind) =>
            {
                kinds[n] = kind;
                return Task.FromResult(true);
            },
            Token);

        Assert.Equal([(0, 100), (1, 100), (2, 100)], kinds.Values.CountBy(kind => kind).Select(one => (one.Key, one.Value)).Order());
        Assert.True(Enumerable.Range(0, 297).Select(n => (kinds[n + 3] - kinds[n] + 3) % 3).Distinct().Count() == 3);
    }

    private static Task<bool> RunAsync(int count, Func<Task<bool>> operateAsync, CancellationToken? cancellationToken = null) =>
        OpenLoad.RunAsync(count / AtOnce.TotalSeconds, AtOnce, kinds: 1, (_, _) => operateAsync(), cancellationToken ?? Token);
}
