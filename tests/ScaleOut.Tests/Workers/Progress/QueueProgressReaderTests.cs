using System.Collections.Concurrent;
using System.Text;
using Azure.Storage.Queues;
using ScaleOut.Progress;
using ScaleOut.Tests.Shared.Progress;
using ScaleOut.Tests.Support.Azurite;
using ScaleOut.Workers.Progress;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Workers.Progress;

/// <summary>Sink and reader over a real queue.</summary>
public sealed class QueueProgressReaderTests(AzuriteFixture azurite) : IAsyncLifetime
{
    private readonly ConcurrentQueue<WorkerProgress> _arrived = new();
    private readonly ConcurrentQueue<string> _log = new();
    private StorageConnection _storage = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync() => _storage = await azurite.NewAccountAsync();

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    [Fact]
    public async Task Read_WhatAWorkerSent_ArrivesWholeAndIsGoneFromTheQueue()
    {
        var first = ProgressMessages.From(2, 1, 1, 1) with { LastError = "503 ünicode", RequestUnits = 1.25 };
        var end = first with { Sequence = long.MaxValue, Activity = WorkerActivity.Ended, Inserted = 77 };
        await using (var sink = new QueueProgressSink(_storage))
        {
            await sink.ReportAsync(first, Cancellation);
            await UntilAsync(
                async () => await Queue.ExistsAsync(Cancellation) && (await Queue.PeekMessagesAsync(32, Cancellation)).Value.Length == 1);
            await sink.ReportAsync(end, Cancellation);
        }

        Assert.Equal(2, await Reader().ReadOnceAsync(Cancellation));
        Assert.Equal([first, end], _arrived.OrderBy(message => message.Sequence));
        Assert.Empty(_log);
        Assert.Equal(0, (await Queue.GetPropertiesAsync(Cancellation)).Value.ApproximateMessagesCount);
    }

    [Fact]
    public async Task Read_MessagesInAnyOrderAndTwice_ComeAllOfThem()
    {
        var messages = (from worker in Enumerable.Range(0, 3)
            from leg in Enumerable.Range(1, 2)
            from sequence in Enumerable.Range(1, 4)
            select ProgressMessages.From(worker, leg, 1, sequence)).ToList();
        foreach (var i in Enumerable.Range(0, 2 * messages.Count))
            await SendAsync(QueuedProgress.Encode(messages[i * 7 % messages.Count]));

        while (await Reader().ReadOnceAsync(Cancellation) > 0)
        {
        }

        Assert.Equal(2 * messages.Count, _arrived.Count);
        var newest = _arrived.GroupBy(message => message.Worker).Select(messages => messages.MaxBy(message => message.Order)!);
        Assert.Equal([(0, 2, 4L), (1, 2, 4L), (2, 2, 4L)], newest.OrderBy(m => m.Worker).Select(m => (m.Worker, m.Leg, m.Sequence)));
    }

    [Fact]
    public async Task Read_PoisonBetweenSoundMessages_GoesToThePoisonQueueWithALineEachAndDoesNoHarm()
    {
        string[] poison =
        [
            "not base64 at all",
            Base64("not json"),
            Base64("{\"runId\":\"run\"}"),
            QueuedProgress.Encode(ProgressMessages.From(3, 1, 1, 1) with { Workers = 900, Worker = 800 }),
        ];
        await SendAsync(QueuedProgress.Encode(ProgressMessages.From(0, 1, 1, 1)));
        foreach (var body in poison)
            await SendAsync(body);
        await SendAsync(QueuedProgress.Encode(ProgressMessages.From(1, 1, 1, 1)));

        Assert.Equal(6, await Reader().ReadOnceAsync(Cancellation));

        Assert.Equal([0, 1], _arrived.Select(message => message.Worker));
        Assert.Equal(4, _log.Count);
        Assert.All(_log, line => Assert.Contains("went to run-progress-poison", line, StringComparison.Ordinal));
        Assert.All(_log, line => Assert.DoesNotContain('\n', line));
        var moved = (await StorageClients.Queue(
            _storage, QueuedProgress.PoisonName).ReceiveMessagesAsync(32, cancellationToken: Cancellation)).Value;
        Assert.Equal(poison.Order(StringComparer.Ordinal), moved.Select(message => message.Body.ToString()).Order(StringComparer.Ordinal));
        Assert.Equal(0, await Reader().ReadOnceAsync(Cancellation));
    }

    [Fact]
    public async Task Read_MessageOfAnotherRun_IsLeftToItsReader()
    {
        await SendAsync(QueuedProgress.Encode(ProgressMessages.From(0, 1, 1, 1) with { RunId = "other" }));

        Assert.Equal(1, await Reader().ReadOnceAsync(Cancellation));

        Assert.Empty(_arrived);
        Assert.Empty(_log);
        Assert.Equal(1, (await Queue.GetPropertiesAsync(Cancellation)).Value.ApproximateMessagesCount);
    }

    [Fact]
    public async Task Run_QueueIsMissing_SaysSoOnceAndGoesOn()
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        var reading = Reader().RunAsync(end.Token);
        await UntilAsync(() => Task.FromResult(!_log.IsEmpty));

        await end.CancelAsync();
        await reading;

        Assert.Equal("progress cannot be read from the queue run-progress: 404 QueueNotFound", Assert.Single(_log));
    }

    private QueueClient Queue => StorageClients.Queue(_storage, QueuedProgress.Name);

    private QueueProgressReader Reader() => new(_storage, "run", workers: 4, _arrived.Enqueue, _log.Enqueue);

    private static string Base64(string text) => Convert.ToBase64String(Encoding.UTF8.GetBytes(text));

    private static async Task UntilAsync(Func<Task<bool>> condition)
    {
        while (!await condition())
            await Task.Delay(20, Cancellation);
    }

    private async Task SendAsync(string body)
    {
        await Queue.CreateIfNotExistsAsync(cancellationToken: Cancellation);
        await Queue.SendMessageAsync(body, Cancellation);
    }
}
