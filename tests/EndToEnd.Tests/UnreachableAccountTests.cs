using static ScaleOut.Tests.EndToEnd.KilledRuns;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>A run that cannot use its account changes none of its items, and can be resumed later. A first start leaves nothing.</summary>
public sealed class UnreachableAccountTests : ProgramInFolder
{
    private static readonly Dictionary<string, string> WrongKey = new() { ["COSMOS_KEY"] = Convert.ToBase64String(new byte[64]) };

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Resume_WrongKeyOrNone_LeavesTheRunAsItWas()
    {
        await using var account = await StartAccountAsync();
        using (var run = Start(["--documents", "800", "--workers", "1", "--rate", "400", "--id", "cut", .. Target(account)], Key(account)))
        {
            await Until.HoldsAsync(() => File.Exists(In("runs", "cut", "start.json")), "the common start");
            var workers = RunProcesses.Workers(Folder, "cut").Values;
            await SignalAsync(run, Signals.Kill);
            await Until.HoldsAsync(() => !workers.Any(Signals.Lives), "the end of the workers");
        }

        var before = Items();
        for (var time = 0; time < 2; time++)
        {
            AssertRejected(
                await CommandAsync(["resume", "cut"], WrongKey),
                "error: The run could not go on: The account ", "error: nothing of run 'cut' was changed.",
                "go on with: devbox resume cut");
            Assert.Equal(before, Items());
        }

        foreach (var noKey in (Dictionary<string, string>[])[[], new() { ["COSMOS_KEY"] = "" }])
        {
            AssertRejected(await CommandAsync(["resume", "cut"], noKey), "COSMOS_KEY");
            Assert.Equal(before, Items());
        }

        using var resumed = await RunAsync(["resume", "cut"], Key(account));
        AssertEnded(resumed);
        AssertComplete(Folder, "cut", 800, ContainerOf(account, "cut"));
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_FirstStartWithAWrongKey_LeavesNothingAndStartsLater()
    {
        await using var account = await StartAccountAsync();
        string[] arguments = ["--documents", "200", "--workers", "1", "--id", "first", .. Target(account)];
        for (var time = 0; time < 2; time++)
        {
            AssertRejected(await CommandAsync(arguments, WrongKey), "401", "nothing was written, and nothing is kept.");
            Assert.False(Directory.Exists(In("runs", "first")));
        }

        using var started = await RunAsync(arguments, Key(account));
        AssertEnded(started);
        AssertComplete(Folder, "first", 200, ContainerOf(account, "first"));
    }

    /// <summary>All items of the run except the logs of its processes.</summary>
    private SortedDictionary<string, string> Items() => new(
        Directory.EnumerateFiles(In("runs", "cut"), "*", SearchOption.AllDirectories)
            .Where(file => !file.Contains("logs", StringComparison.Ordinal) && !file.EndsWith(".lock", StringComparison.Ordinal))
            .ToDictionary(file => file, file => Convert.ToHexString(File.ReadAllBytes(file))),
        StringComparer.Ordinal);
}
