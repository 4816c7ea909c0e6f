namespace ScaleOut.Tests.DevBox.Processes;

public sealed class WorkerPoolTests
{
    /// <summary>The worker's process finds the contradiction before it calls any account.</summary>
    [Fact]
    public async Task RunLegAsync_LaterResultOfOtherDocuments_FailsForGoodAndNamesIt()
    {
        using var folder = new TemporaryFolder();
        var later = Legs.Leg(worker: 0, leg: 2, inserted: 50);
        await new RunFiles(folder.StoreWith("test"), "test").CreateResultIfAbsentAsync(later, TestContext.Current.CancellationToken);
        var account = new AccountConnection { Endpoint = new Uri("https://127.0.0.1:1/"), Key = "", Simulated = true };
        var handshake = new WorkerHandshake { Account = account, RunsFolder = folder.Path };
        await using var pool = new WorkerPool(handshake, "test", folder.Path, _ => { });

        var leg = new LegInput { Assignment = Script.Assignment(new NumberRange(0, 100)), Leg = 1, Next = 0 };
        var error = await Assert.ThrowsAsync<OrchestrationTaskException>(() => pool.RunLegAsync(leg));

        Assert.Equal(typeof(EvidenceException).FullName, error.ErrorType);
        Assert.True(OrchestrationTaskException.IsDeterministic(error.ErrorType));
        Assert.StartsWith(
            "test/legs/0000/000002/result.json contradicts itself or its run: it was made for the documents 0 to 49, and "
            + "test/spec.json gives worker 0 the documents 0 to 99.", error.Message, StringComparison.Ordinal);
        Assert.Empty(await new FolderRunStore(folder.Path).ListAsync("test", "legs/0000/000001/", TestContext.Current.CancellationToken));
    }
}
