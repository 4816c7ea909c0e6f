namespace ScaleOut.Tests.EndToEnd;

/// <summary>What a run has kept survives a loss of power, as the system calls of its processes show.</summary>
public sealed class DurabilityTests : ProgramInFolder
{
    /// <summary>The items that other processes rely on, from the claim to the end.</summary>
    private static readonly string[] Items =
    [
        "spec.json", "account.json", "prepared.json", "start.json", LegNames.Attempt(0, 1, 1), LegNames.Result(0, 1), "ending.json",
        .. RunForms.Kind.Forms.Select(form => form.FileName), "ledger.json", "ended.json",
    ];

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_EachItem_IsFlushedBeforeItIsRenamedAndItsFolderRightAfter()
    {
        Assert.SkipUnless(DiskTrace.IsPossible(), "There is no strace here, or it may not look at processes.");
        var trace = In("trace");

        using var run = DevBoxProcess.Start(
            Folder, ["--documents", "50", "--workers", "1", "--id", "kept", "--latency", "none"], diskTrace: trace);
        await run.WaitAsync();

        AssertEnded(run);
        var published = DiskTrace.Read(trace, Folder);
        var kept = In("runs", "kept");
        Assert.All(Items, item =>
        {
            var path = Path.Combine(kept, item);
            var (before, temporary, after) = published[path];
            Assert.StartsWith($"{path}.tmp-", temporary, StringComparison.Ordinal);
            Assert.Equal((temporary, Path.GetDirectoryName(path)), (before, after));
        });
    }

    /// <summary>The folder, the key, and the manifest of what the account keeps.</summary>
    [Fact]
    public async Task Account_ItsData_IsFlushedBeforeItIsRenamedAndItsFolderRightAfter()
    {
        Assert.SkipUnless(DiskTrace.IsPossible(), "There is no strace here, or it may not look at processes.");
        var (trace, ready) = (In("trace"), In("ready.json"));
        using var account = DevBoxProcess.Start(Folder, ["account", "--data", "kept/data", "--json", ready], diskTrace: trace);
        await Until.HoldsAsync(() => File.Exists(ready) && File.ReadAllText(ready).EndsWith('\n'), "the account");
        var control = JsonNode.Parse(await File.ReadAllTextAsync(ready, Cancellation))!["control"]!.ToString();
        using var http = new HttpClient();
        using var response = await http.PostAsync(new Uri(new Uri(control), "shutdown"), content: null, Cancellation);
        await account.WaitAsync();

        AssertEnded(account);
        var published = DiskTrace.Read(trace, Folder).Where(one => Path.GetDirectoryName(one.Key) == In("kept", "data")).ToList();
        Assert.Contains(published, one => one.Key == In("kept", "data", "account.json"));
        Assert.Contains(In("kept"), DiskTrace.Flushed(trace));
        Assert.True(published.Count > 1, "The key is kept, too.");
        Assert.All(published, one =>
        {
            var (before, temporary, after) = one.Value;
            Assert.Equal((temporary, Path.GetDirectoryName(one.Key)), (before, after));
        });
    }
}
