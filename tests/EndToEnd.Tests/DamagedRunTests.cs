namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// Results of legs that are damaged count as missing, and the report names them. A resumed run repeats their legs and counts each document
/// once.
/// </summary>
public sealed class DamagedRunTests(DamagedRun measured) : IClassFixture<DamagedRun>, IDisposable
{
    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;
    private FolderRunStore Store => _folder.StoreWith(DamagedRun.Id);

    public void Dispose() => _folder.Dispose();

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData("first leg cut short", 1)]
    [InlineData("two legs in a row empty", 2)]
    [InlineData("last leg changed", 1)]
    [InlineData("results of two workers swapped", 2)]
    [InlineData("result is a copy of the next", 1)]
    [InlineData("folder of a leg deleted", 0)]
    public async Task Resume_ResultsDamaged_RepeatsTheirLegsAndCountsEachDocumentOnce(string damage, int lost)
    {
        var items = new Dictionary<string, byte[]>(measured.Unfinished);
        var damagedItems = Damage(items, damage);
        await DamagedRun.FillAsync(Store, items);

        var log = new RecordingLogger();
        // A repeated leg has a minute, so it is not cut short on a slow machine.
        var outcome = await measured.Over(Store, log: log).RunAsync(
            DamagedRun.Spec with { LegDuration = TimeSpan.FromMinutes(1) }, Cancellation);

        var report = await ReportAsync();
        var documents = report.Documents;
        Assert.True(outcome.State == RunState.Complete, string.Join('\n', report.Warnings));
        var done = documents.Inserted + documents.AlreadyPresent;
        Assert.Equal((300, 0, 0, 300L), (done, documents.Failed, documents.Remaining, documents.Verified));
        Assert.Equal(300, measured.Ledger.Documents.Created);
        Assert.True(documents.AlreadyPresent > 0);
        Assert.True(lost == report.LostLegs, $"{report.LostLegs} lost legs: {string.Join(' ', log.Lines)}");
        Assert.Empty(report.MissingLegs);
        foreach (var item in damagedItems)
        {
            Assert.Contains(report.Warnings, warning => warning.StartsWith($"evidence/{item} is damaged: ", StringComparison.Ordinal)
                && warning.EndsWith("It is kept as result.damaged-1.json, and its leg was run again.", StringComparison.Ordinal));
            var kept = item.Replace("result.json", "result.damaged-1.json", StringComparison.Ordinal);
            Assert.Equal(items[item], await Store.ReadAsync(DamagedRun.Id, kept, Cancellation));
        }
    }

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Run_ResultsDamagedWhileItGoesOn_HasNotEndedAndIsCompleteWhenItIsResumed()
    {
        var items = measured.Unfinished.Where(item => !item.Key.StartsWith("legs/", StringComparison.Ordinal)).ToDictionary();
        await DamagedRun.FillAsync(Store, items);
        var ended = new ConcurrentDictionary<(int, int), bool>();

        // The next leg reads the first of these results; nobody reads the second before the report.
        var outcome = await measured.Over(Store, async leg =>
        {
            if (!ended.TryAdd((leg.Assignment.Worker, leg.Leg), true))
                return;
            var target = (leg.Assignment.Worker, leg.Leg) switch
            {
                (0, 1) => LegNames.Result(0, 1),
                (1, 3) => LegNames.Result(1, 1),
                _ => null,
            };
            if (target is not null)
                await Store.WriteAsync(DamagedRun.Id, target, ReadOnlyMemory<byte>.Empty, Cancellation);
        }).RunAsync(DamagedRun.Spec, Cancellation);

        var documents = (await ReportAsync()).Documents;
        Assert.Equal((RunState.Incomplete, 300L), (outcome.State, documents.Inserted + documents.AlreadyPresent + documents.Remaining));
        Assert.True(documents.Remaining > 0, "Nothing is missing.");
        Assert.Equal(
            [
                "Leg 1 of worker 0 is in no figure of this report: evidence/legs/0000/000001/result.json is damaged: it is empty.",
                "Leg 1 of worker 1 is in no figure of this report: evidence/legs/0001/000001/result.json is damaged: it is empty.",
            ],
            (await ReportAsync()).MissingLegs.Select(missing => missing[..(missing.IndexOf("empty.", StringComparison.Ordinal) + 6)]));
        Assert.True(outcome.MissesLegs);
        Assert.Equal("The run has not ended. Resuming it runs the missing legs again.", outcome.Reasons[^1]);
        Assert.Empty((await Store.ListAsync(DamagedRun.Id, "", Cancellation)).Intersect(["ending.json", "ended.json"]));

        var resumed = await measured.Over(Store).RunAsync(DamagedRun.Spec with { LegDuration = TimeSpan.FromMinutes(1) }, Cancellation);

        documents = (await ReportAsync()).Documents;
        Assert.True(resumed.State == RunState.Complete, string.Join('\n', resumed.Reasons));
        Assert.Equal((300L, 0L, false), (documents.Inserted + documents.AlreadyPresent, documents.Remaining, resumed.MissesLegs));
        Assert.Equal(300, measured.Ledger.Documents.Created);
        Assert.NotNull(await Store.ReadAsync(DamagedRun.Id, "ending.json", Cancellation));
    }

    [Fact]
    public async Task Save_ResultIsDamaged_SaysWhatIsMissingAndIsNotComplete()
    {
        await DamagedRun.FillAsync(Store, new Dictionary<string, byte[]>(measured.Unfinished) { [LegNames.Result(1, 2)] = [] });
        var (outcome, _) = await ReportSaver.SaveAsync(Store, measured.Ending, Cancellation);
        var report = await ReportAsync();
        var gone = report.Documents.Remaining;
        Assert.Equal((RunState.Incomplete, true), (outcome.State, outcome.MissesLegs));
        Assert.True(gone > 0);
        var reason = "Leg 2 of worker 1 is in no figure of this report: evidence/legs/0001/000002/result.json is damaged: it is empty. "
            + $"It is kept as result.damaged-1.json; {gone} documents that it did count as remaining.";
        Assert.Equal([reason], report.MissingLegs);
        Assert.Contains(reason, outcome.Reasons);
        Assert.Contains(reason, report.Warnings);
    }

    [Fact]
    public async Task Resume_SpecWithOtherDocuments_FailsAtOnceAndNamesBoth()
    {
        await DamagedRun.FillAsync(Store, measured.Unfinished);
        var run = measured.Over(Store);
        var spec = DamagedRun.Spec with { Documents = 400 };
        Assert.Equal(
            "evidence/legs/0000/000001/result.json contradicts itself or its run: it was made for the documents 0 to 149, and "
            + "evidence/spec.json gives worker 0 the documents 0 to 199. One of the two items belongs to another run or was changed: "
            + "restore the one that is right, or delete it and resume the run.",
            (await Assert.ThrowsAsync<EvidenceException>(() => run.RunAsync(spec, Cancellation))).Message);
        Assert.Equal([0, 1], run.Legs.Select(leg => leg.Assignment.Worker).Order());
    }

    [Fact]
    public async Task Resume_PreparationDamaged_FailsAtOnceAndNamesIt()
    {
        await DamagedRun.FillAsync(Store, new Dictionary<string, byte[]>(measured.Unfinished) { ["prepared.json"] = [] });
        var outcome = await measured.Over(Store).RunAsync(DamagedRun.Spec, Cancellation);

        Assert.Equal(RunState.Failed, outcome.State);
        Assert.StartsWith(
            "The run could not go on: evidence/prepared.json is damaged: it is empty.",
            Assert.Single(outcome.Reasons),
            StringComparison.Ordinal);
    }

    /// <summary>Damages the items of a run. Returns the names of the damaged items that must be named.</summary>
    private static string[] Damage(Dictionary<string, byte[]> items, string damage)
    {
        var (first, second) = (LegNames.Result(0, 1), LegNames.Result(0, 2));
        var last = items.Keys.Last(
            name => name.StartsWith("legs/0000/", StringComparison.Ordinal) && name.EndsWith("result.json", StringComparison.Ordinal));
        switch (damage)
        {
            case "first leg cut short":
                items[first] = items[first][..500];
                return [first];
            case "two legs in a row empty":
                items[first] = items[second] = [];
                return [first, second];
            case "last leg changed":
                items[last] = [.. items[last]];
                items[last][^30] ^= 1;
                return [last];
            case "results of two workers swapped":
                var other = LegNames.Result(1, 1);
                (items[first], items[other]) = (items[other], items[first]);
                return [first, other];
            case "result is a copy of the next":
                items[first] = items[second];
                return [first];
            default:
                foreach (var name in items.Keys.Where(name => name.StartsWith("legs/0000/000002/", StringComparison.Ordinal)).ToList())
                    items.Remove(name);
                return [];
        }
    }

    private async Task<RunReport> ReportAsync() =>
        RunForms.Kind.Read(await new RunFiles(Store, DamagedRun.Id).ReadReportAsync("report.json", Cancellation), DamagedRun.Id);
}
