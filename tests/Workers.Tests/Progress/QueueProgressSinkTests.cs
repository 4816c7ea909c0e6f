using ScaleOut.Workers.Progress;

namespace ScaleOut.Tests.Workers.Progress;

public sealed class QueueProgressSinkTests
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Report_QueueThatDoesNotRespond_DoesNotBlockTheWorker()
    {
        var (began, release) = (new TaskCompletionSource(), new TaskCompletionSource());
        await using var sink = new QueueProgressSink(
            async (_, _) =>
            {
                began.TrySetResult();
                await release.Task;
            },
            onFailure: null, TimeProvider.System);

        for (var sequence = 1; sequence <= 1_000; sequence++)
            await sink.ReportAsync(Message(sequence), Cancellation);
        await began.Task;
        release.SetResult();
    }

    [Fact]
    public async Task Report_QueueThatFails_IsReportedOnceAndNeverThrows()
    {
        var reported = new ConcurrentQueue<string>();
        var tries = 0;
        await using var sink = new QueueProgressSink(
            (_, _) =>
            {
                tries++;
                throw new Azure.RequestFailedException(403, "secret-content", "AuthenticationFailed", null);
            },
            reported.Enqueue, TimeProvider.System);

        for (var leg = 1; leg <= 3; leg++)
        {
            await sink.ReportAsync(EndOf(leg), Cancellation);
            while (tries < leg)
                await Task.Delay(5, Cancellation);
        }

        Assert.Equal("progress cannot be sent to the queue run-progress: 403 AuthenticationFailed", Assert.Single(reported));
    }

    [Fact]
    public async Task Report_QueueThatFails_KeepsNothingOfEndedRuns()
    {
        await using var sink = new QueueProgressSink(
            (_, _) => throw new Azure.RequestFailedException(503, "away"), onFailure: null, TimeProvider.System);

        for (var run = 0; run < 10; run++)
            await sink.ReportAsync(EndOf(leg: 1) with { RunId = $"run-{run}" }, Cancellation);

        await Until.HoldsAsync(() => sink.OutboxCount == 0, "the end of all outboxes");
    }

    [Fact]
    public async Task Report_EndOfALeg_IsSentBeforeItReturns()
    {
        var sent = new ConcurrentQueue<string>();
        await using var sink = new QueueProgressSink(
            async (body, _) =>
            {
                await Task.Yield();
                sent.Enqueue(body);
            },
            onFailure: null, TimeProvider.System);
        var end = EndOf(leg: 1);

        await sink.ReportAsync(end, Cancellation);

        Assert.Equal(end, Decode(Assert.Single(sent)));
    }

    [Fact]
    public async Task Dispose_MessageThatWaits_IsSent()
    {
        var sent = new ConcurrentQueue<string>();
        await using (var sink = new QueueProgressSink(
            (body, _) =>
            {
                sent.Enqueue(body);
                return Task.CompletedTask;
            },
            onFailure: null, TimeProvider.System))
        {
            await sink.ReportAsync(Message(1), Cancellation);
            while (sent.IsEmpty)
                await Task.Delay(5, Cancellation);
            await sink.ReportAsync(Message(2), Cancellation);
        }

        Assert.Equal([1, 2], sent.Select(body => Decode(body)!.Sequence));
    }

    private static WorkerProgress Message(long sequence) => ProgressMessages.From(0, 1, 1, sequence);

    private static WorkerProgress EndOf(int leg) =>
        ProgressMessages.From(0, leg, 1, long.MaxValue) with { Activity = WorkerState.Ended };

    private static WorkerProgress? Decode(string body) => ProgressMessage.Read(Encoding.UTF8.GetString(Convert.FromBase64String(body)));
}
