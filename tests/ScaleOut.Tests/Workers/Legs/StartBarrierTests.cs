using ScaleOut.Orchestration;
using ScaleOut.Storage;
using ScaleOut.Tests.Support;
using ScaleOut.Workers.Legs;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Workers.Legs;

public sealed class StartBarrierTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly RunFiles _files;

    public StartBarrierTests() => _files = new RunFiles(new FolderRunStore(_folder.Path), "barrier");

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Wait_AllWorkersReady_GivesAllTheSameInstantAndNotBeforeIt()
    {
        var starts = await Task.WhenAll(Enumerable.Range(0, 8).Select(async worker =>
        {
            await Task.Delay(worker * 20, Cancellation);
            var start = await new StartBarrier(_files, TimeProvider.System).WaitAsync(worker, 8, TimeSpan.FromMinutes(1), Cancellation);
            return (start, At: DateTimeOffset.UtcNow);
        }));

        var instant = Assert.Single(starts.Select(start => start.start).Distinct())!;
        Assert.Equal(8, instant.Ready);
        Assert.All(starts, start => Assert.True(start.At >= instant.At));
    }

    [Fact]
    public async Task Wait_AWorkerMissingAfterTheTimeOut_StartsWithoutItAndSaysHowManyWereReady()
    {
        var start = await new StartBarrier(_files, TimeProvider.System).WaitAsync(worker: 3, workers: 4, TimeSpan.FromSeconds(0.1), Cancellation);

        Assert.Equal(1, start!.Ready);
    }

    [Fact]
    public async Task Wait_StartIsLongPast_ReturnsItAtOnce()
    {
        var past = new StartInstant(DateTimeOffset.UtcNow.AddMinutes(-5), 2);
        await _files.SetStartAsync(past, Cancellation);

        Assert.Equal(past, await new StartBarrier(_files, TimeProvider.System).WaitAsync(1, 2, TimeSpan.FromMinutes(1), Cancellation));
    }

    [Fact]
    public async Task Wait_RunIsStopped_ReturnsNull()
    {
        var waiting = new StartBarrier(_files, TimeProvider.System).WaitAsync(0, 2, TimeSpan.FromMinutes(1), Cancellation);
        await _files.RequestStopAsync(Cancellation);

        Assert.Null(await waiting);
    }
}
