using System.Text.RegularExpressions;
using Azure.Storage.Queues;
using ScaleOut.Orchestration;
using ScaleOut.Tests.DevBox;
using ScaleOut.Tests.Support;
using ScaleOut.Tests.Support.Azurite;
using ScaleOut.Workers.Progress;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>A run whose workers report their progress to a Storage queue, as they do in Azure.</summary>
public sealed partial class QueueTests(AzuriteFixture azurite)
{
    [Fact]
    public async Task Run_OverAQueueWithPoisonInIt_IsCompleteAndShowsProgress()
    {
        var storage = await azurite.NewAccountAsync();
        var queue = StorageClients.Queue(storage, QueuedProgress.Name);
        await queue.CreateAsync(cancellationToken: TestContext.Current.CancellationToken);
        await queue.SendMessageAsync("poison", TestContext.Current.CancellationToken);
        using var folder = new TemporaryFolder();
        using var run = DevBoxProcess.Start(
            folder.Path,
            ["--documents", "3000", "--workers", "2", "--rate", "150", "--id", "queued", "--queue", storage.ConnectionString!]);
        await Until.HoldsAsync(() => run.HasExited || RunProcesses.Workers(folder.Path, "queued").Count == 2, "the workers");
        var workers = RunProcesses.Workers(folder.Path, "queued").Values;
        var commandLines = workers.Select(id => File.ReadAllText($"/proc/{id}/cmdline")).ToList();
        await run.WaitAsync();

        var finished = new FinishedRun(Path.Combine(folder.Path, "runs"), "queued");
        Assert.True(run.ExitCode == 0, run.Output + run.Errors);
        Assert.Equal((RunState.Complete, 3_000L), (finished.Report.State, finished.Report.Documents.Verified));
        Assert.True(PartlyDone().IsMatch(run.Output), run.Output + run.Errors);
        Assert.Equal("poison", Assert.Single((await PoisonAsync(storage)).Select(message => message.Body.ToString())));
        var log = await File.ReadAllTextAsync(
            Path.Combine(finished.Folder, "logs", "devbox.log"), TestContext.Current.CancellationToken);
        Assert.Contains("went to run-progress-poison", log, StringComparison.Ordinal);

        var key = storage.ConnectionString!.Split("AccountKey=")[1].Split(';')[0];
        Assert.Equal(2, commandLines.Count);
        var written = Directory.EnumerateFiles(folder.Path, "*", SearchOption.AllDirectories).Select(File.ReadAllText);
        Assert.All(
            [.. commandLines, run.Output, run.Errors, .. written],
            text => Assert.DoesNotContain(key, text, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("somewhere;AccountKey=c2VjcmV0", "--queue: This is not a connection string of a storage account.")]
    [InlineData(
        "DefaultEndpointsProtocol=http;AccountName=x;AccountKey=c2VjcmV0;QueueEndpoint=http://127.0.0.1:1/x",
        "--queue: the queue run-progress cannot be used: ")]
    public async Task Run_QueueThatCannotBeUsed_IsRejectedWithoutItsKey(string connectionString, string message)
    {
        using var folder = new TemporaryFolder();
        var run = await DevBoxCommand.RunAsync(folder.Path, ["--documents", "10", "--workers", "1", "--queue", connectionString]);

        Assert.Equal(2, run.ExitCode);
        Assert.Contains(message, run.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", run.Errors + run.Output, StringComparison.Ordinal);
    }

    /// <summary>A line of the running phase that says how much is done, which only messages can have reported.</summary>
    [GeneratedRegex(@"running  [\d,]+ of 3,000 \([\d.]+ %\)")]
    private static partial Regex PartlyDone();

    private static async Task<IEnumerable<Azure.Storage.Queues.Models.QueueMessage>> PoisonAsync(StorageConnection storage)
    {
        var queue = StorageClients.Queue(storage, QueuedProgress.PoisonName);
        return (await queue.ReceiveMessagesAsync(32, cancellationToken: TestContext.Current.CancellationToken)).Value;
    }
}
