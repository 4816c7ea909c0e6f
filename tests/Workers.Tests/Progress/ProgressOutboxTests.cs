using ScaleOut.Workers.Progress;

namespace ScaleOut.Tests.Workers.Progress;

public sealed class ProgressOutboxTests
{
    private readonly ConcurrentQueue<WorkerProgress> _sent = new();

    [Fact]
    public async Task Enqueue_ManyWithinAnInterval_SendsTheFirstAndThenTheNewest()
    {
        var outbox = await OutboxThatSentAsync();
        for (var sequence = 2; sequence <= 100; sequence++)
            _ = outbox.Enqueue(Message(sequence));

        Assert.Single(_sent);
        await outbox.FlushAsync();
        Assert.Equal([1, 100], _sent.Select(message => message.Sequence));
    }

    [Fact]
    public async Task Enqueue_EndOfALeg_IsSentAtOnce()
    {
        var outbox = await OutboxThatSentAsync();
        _ = outbox.Enqueue(Message(2));

        await outbox.Enqueue(Message(long.MaxValue) with { Activity = WorkerState.Ended });

        Assert.Equal([1, long.MaxValue], _sent.Select(message => message.Sequence));
        Assert.True(outbox.Idle);
    }

    [Fact]
    public async Task Enqueue_OlderThanTheMessageThatWaits_IsLeftOut()
    {
        var outbox = await OutboxThatSentAsync();
        _ = outbox.Enqueue(Message(9));
        _ = outbox.Enqueue(Message(5));

        await outbox.FlushAsync();

        Assert.Equal([1, 9], _sent.Select(message => message.Sequence));
    }

    [Fact]
    public async Task Enqueue_IntervalIsOver_SendsTheNewestByItself()
    {
        var outbox = Outbox(TimeSpan.FromMilliseconds(50));
        _ = outbox.Enqueue(Message(1));
        _ = outbox.Enqueue(Message(2));
        await outbox.Enqueue(Message(3));

        Assert.Equal(3, _sent.Last().Sequence);
        Assert.InRange(_sent.Count, 1, 3);
    }

    private static WorkerProgress Message(long sequence) => ProgressMessages.From(0, 1, 1, sequence);

    /// <summary>An outbox that has sent message 1 and waits for long before the next.</summary>
    private async Task<ProgressOutbox> OutboxThatSentAsync()
    {
        var outbox = Outbox(TimeSpan.FromHours(1));
        _ = outbox.Enqueue(Message(1));
        while (_sent.IsEmpty)
            await Task.Delay(5, TestContext.Current.CancellationToken);
        return outbox;
    }

    private ProgressOutbox Outbox(TimeSpan interval) => new(
        interval,
        message =>
        {
            _sent.Enqueue(message);
            return Task.CompletedTask;
        },
        TimeProvider.System);
}
