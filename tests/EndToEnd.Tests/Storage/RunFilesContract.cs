namespace ScaleOut.Tests.EndToEnd.Storage;

/// <summary>How the items of a run behave over every run store.</summary>
public abstract class RunFilesContract
{
    /// <summary>An empty store.</summary>
    internal abstract IRunStore Store { get; }

    private RunFiles Files => new(Store, "test");
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Claim_ManyAtOnce_OneWins()
    {
        var claims = await Task.WhenAll(
            Enumerable.Range(0, 20).Select(i => Task.Run(() => Files.TryClaimAsync(new RunSpec { Id = "test", Seed = i }, Cancellation))));
        Assert.Single(claims, won => won);
        Assert.True(await new RunFiles(Store, "other").TryClaimAsync(new RunSpec { Id = "other" }, Cancellation));
    }

    [Fact]
    public async Task ClaimAttempt_ManyAtOnce_NumbersThemWithoutGap()
    {
        var attempts = await Task.WhenAll(
            Enumerable.Range(0, 20).Select(_ => Task.Run(() => Files.ClaimAttemptAsync(3, 1, "a", Cancellation))));
        Assert.Equal(Enumerable.Range(1, 20), attempts.Order());
        Assert.Equal(1, await Files.ClaimAttemptAsync(3, 2, "a", Cancellation));
    }

    [Fact]
    public async Task KeepResult_LegThatRanTwice_KeepsTheFirst()
    {
        var first = await Files.CreateResultIfAbsentAsync(Legs.Leg(inserted: 5), Cancellation);
        var second = await Files.CreateResultIfAbsentAsync(Legs.Leg(inserted: 9), Cancellation);
        Assert.Equal((5, 5), (first.Output.Counts.Inserted, second.Output.Counts.Inserted));
        Assert.Equal(5, (await Files.ReadResultAsync(0, 1, Cancellation))!.Output.Counts.Inserted);
    }

    [Fact]
    public async Task ReadLegs_AttemptsWithoutResult_AreLost()
    {
        await BeginAsync(worker: 0, leg: 1, attempts: 3);
        await Files.CreateResultIfAbsentAsync(Legs.Leg(0, 1, inserted: 1), Cancellation);
        await BeginAsync(worker: 0, leg: 2, attempts: 1);
        await Files.CreateResultIfAbsentAsync(Legs.Leg(0, 2, inserted: 2), Cancellation);
        await BeginAsync(worker: 12, leg: 1, attempts: 2);
        var runLegs = await Files.ReadLegsAsync(Cancellation);

        Assert.Equal([1, 2], runLegs.Results.Select(leg => leg.Output.Counts.Inserted));
        Assert.Equal((4, 4), (runLegs.LostLegs, await Files.CountLostLegsAsync(Cancellation)));
    }

    [Fact]
    public async Task ReadLegs_ManyWorkersAndLegs_AreInOrder()
    {
        Assert.Equivalent(new RunLegs([], LostLegs: 0) { Partitions = [], Latencies = new Dictionary<long, PackedHistogram>() },
            await Files.ReadLegsAsync(Cancellation));
        foreach (var (worker, leg) in new[] { (10, 1), (2, 11), (2, 2), (999, 1), (0, 1) })
        {
            await BeginAsync(worker, leg, attempts: 1);
            await Files.CreateResultIfAbsentAsync(Legs.Leg(worker, leg), Cancellation);
        }

        Assert.Equal([(0, 1), (2, 2), (2, 11), (10, 1), (999, 1)],
            (await Files.ReadLegsAsync(Cancellation)).Results.Select(leg => (leg.Output.Worker, leg.Output.Leg)));
    }

    [Fact]
    public async Task TakeResult_CutShort_SetsItAsideAndTheLegCanBeRunAgain()
    {
        await BeginAsync(worker: 0, leg: 1, attempts: 1);
        await Files.CreateResultIfAbsentAsync(Legs.Leg(0, 1, inserted: 5), Cancellation);
        var whole = (await Store.ReadAsync("test", Result(0, 1), Cancellation))!;
        await Store.WriteAsync("test", Result(0, 1), whole.AsMemory(0, whole.Length - 20), Cancellation);

        var error = await Assert.ThrowsAsync<EvidenceException>(() => Files.ReadResultAsync(0, 1, Cancellation));
        Assert.Equal("test/legs/0000/000001/result.json", error.Item);
        var (result, damaged) = await Files.ReadOrSetAsideResultAsync(0, 1, Cancellation);

        Assert.Null(result);
        Assert.Equal(
            "test/legs/0000/000001/result.json is damaged: it is no valid JSON, as when a file was cut short "
            + $"(it has {whole.Length - 20} bytes). It is kept as result.damaged-1.json",
            damaged!.Text);
        Assert.Equal(whole[..^20], await Store.ReadAsync("test", "legs/0000/000001/result.damaged-1.json", Cancellation));
        Assert.Equal((null, null), await Files.ReadOrSetAsideResultAsync(0, 1, Cancellation));
        Assert.Equal(2, await Files.ClaimAttemptAsync(0, 1, "a", Cancellation));
        await Files.CreateResultIfAbsentAsync(Legs.Leg(0, 1, alreadyPresent: 5) with { Attempt = 2 }, Cancellation);
        var runLegs = await Files.ReadLegsAsync(Cancellation);
        Assert.Equal(5, Assert.Single(runLegs.Results).Output.Counts.AlreadyPresent);
        Assert.Equal(1, runLegs.LostLegs);
        Assert.Equal([damaged], runLegs.Damaged);
    }

    [Fact]
    public async Task KeepResult_DamagedOneIsThere_KeepsTheNewOneAndTheDamaged()
    {
        await Store.WriteAsync("test", Result(0, 1), "{"u8.ToArray(), Cancellation);
        await Store.WriteAsync("test", "legs/0000/000001/result.damaged-1.json", "older"u8.ToArray(), Cancellation);
        Assert.Equal(5, (await Files.CreateResultIfAbsentAsync(Legs.Leg(inserted: 5), Cancellation)).Output.Counts.Inserted);

        Assert.Equal(5, (await Files.ReadResultAsync(0, 1, Cancellation))!.Output.Counts.Inserted);
        Assert.Equal("older"u8.ToArray(), await Store.ReadAsync("test", "legs/0000/000001/result.damaged-1.json", Cancellation));
        Assert.Equal("{"u8.ToArray(), await Store.ReadAsync("test", "legs/0000/000001/result.damaged-2.json", Cancellation));
    }

    [Fact]
    public async Task ReadLegs_CopyOfAnotherWorkersResult_IsSetAsideAndNamed()
    {
        foreach (var worker in new[] { 0, 1 })
        {
            await BeginAsync(worker, leg: 1, attempts: 1);
            await Files.CreateResultIfAbsentAsync(Legs.Leg(worker, 1, inserted: 5 + worker), Cancellation);
        }

        await Store.WriteAsync("test", Result(1, 1), (await Store.ReadAsync("test", Result(0, 1), Cancellation))!, Cancellation);
        await Store.WriteAsync("test", Result(1, 2), (await Store.ReadAsync("test", Result(0, 1), Cancellation))!, Cancellation);

        var runLegs = await Files.ReadLegsAsync(Cancellation);

        Assert.Equal(5, Assert.Single(runLegs.Results).Output.Counts.Inserted);
        Assert.Equal(1, runLegs.LostLegs);
        Assert.All(runLegs.Damaged, item => Assert.Equal("it is a copy of test/legs/0000/000001/result.json", item.Reason));
        Assert.Equal(["test/legs/0001/000001/result.json", "test/legs/0001/000002/result.json"], runLegs.Damaged.Select(item => item.Item));
        Assert.Equivalent(runLegs, await Files.ReadLegsAsync(Cancellation), strict: true);
    }

    [Theory]
    [InlineData(EvidenceProblem.Contradiction)]
    [InlineData(EvidenceProblem.OlderFormat)]
    public async Task ReadLegs_ResultThatContradictsItselfOrIsOfAnOlderVersion_IsAnErrorAndStays(EvidenceProblem problem)
    {
        var result = Legs.Leg(inserted: 5);
        if (problem == EvidenceProblem.Contradiction)
            await Files.CreateResultIfAbsentAsync(result with { Output = result.Output with { Next = 6 } }, Cancellation);
        else
            await Store.WriteAsync("test", Result(0, 1), """{"output":{"worker":0,"leg":1},"attempt":1}"""u8.ToArray(), Cancellation);

        var error = await Assert.ThrowsAsync<EvidenceException>(() => Files.ReadLegsAsync(Cancellation));

        Assert.Equal((problem, "test/legs/0000/000001/result.json"), (error.Problem, error.Item));
        Assert.NotNull(await Store.ReadAsync("test", Result(0, 1), Cancellation));
    }

    [Fact]
    public async Task ReadLegs_CopyOfAnAttempt_CountsAndIsNamed()
    {
        await BeginAsync(worker: 0, leg: 1, attempts: 1);
        await Files.CreateResultIfAbsentAsync(Legs.Leg(inserted: 1), Cancellation);
        var claim = (await Store.ReadAsync("test", LegNames.Attempt(0, 1, 1), Cancellation))!;
        await Store.WriteAsync("test", LegNames.Attempt(0, 1, 2), claim, Cancellation);
        var runLegs = await Files.ReadLegsAsync(Cancellation);

        Assert.Equal(1, runLegs.LostLegs);
        Assert.Equal("test/legs/0000/000001/attempt-002.json is damaged: it is a copy of test/legs/0000/000001/attempt-001.json",
            Assert.Single(runLegs.Damaged).Text);
    }

    [Fact]
    public async Task TakeResultBeforeAndAfter_DamagedOnesOnTheWay_AreSetAside()
    {
        foreach (var leg in Enumerable.Range(1, 5))
            await Files.CreateResultIfAbsentAsync(Legs.Leg(0, leg, inserted: leg), Cancellation);
        foreach (var leg in new[] { 2, 4 })
            await Store.WriteAsync("test", Result(0, leg), ReadOnlyMemory<byte>.Empty, Cancellation);

        var (before, damagedBefore) = await Files.ReadOrSetAsideResultBeforeAsync(0, 3, Cancellation);
        var (after, damagedAfter) = await Files.ReadOrSetAsideResultAfterAsync(0, 3, Cancellation);

        Assert.Equal((1, 5), (before!.Output.Leg, after!.Output.Leg));
        Assert.Equal([2, 4], damagedBefore.Concat(damagedAfter).Select(item => item.Name.Leg));
        Assert.Null((await Files.ReadOrSetAsideResultBeforeAsync(0, 1, Cancellation)).Result);
        Assert.Null((await Files.ReadOrSetAsideResultAfterAsync(0, 5, Cancellation)).Result);
    }

    [Fact]
    public async Task Read_AnyItemThatIsDamaged_IsAnErrorThatNamesIt()
    {
        (string Name, Func<Task> ReadAsync)[] reads =
        [
            ("spec.json", () => Files.ReadSpecAsync(Cancellation)), ("prepared.json", () => Files.ReadPreparedAsync(Cancellation)),
            ("start.json", () => Files.ReadStartAsync(Cancellation)), ("ended.json", () => Files.ReadEndedAsync(Cancellation)),
            ("listing.json", () => Files.ReadListingAsync(Cancellation)),
            ("preload/0000.json", () => Files.ReadPreloadAsync(0, Cancellation)),
        ];
        foreach (var (name, readAsync) in reads)
        {
            await Store.WriteAsync("test", name, ReadOnlyMemory<byte>.Empty, Cancellation);
            var error = await Assert.ThrowsAsync<EvidenceException>(readAsync);
            Assert.StartsWith($"test/{name} is damaged: it is empty. ", error.Message, StringComparison.Ordinal);
        }

        Assert.Null(await Files.FindEndedAsync(Cancellation));
    }

    [Fact]
    public async Task Claim_LegsOfARunWhoseSpecIsGone_IsRejected()
    {
        await BeginAsync(worker: 0, leg: 1, attempts: 1);
        Assert.False(await Files.TryClaimAsync(new RunSpec { Id = "test" }, Cancellation));
        Assert.True(await Files.HasLegsWithoutSpecAsync(Cancellation));
    }

    [Fact]
    public async Task KeepResult_EverythingSet_ComesBackWhole()
    {
        var result = Legs.Leg(inserted: 5) with
        {
            Range = new(new(0, 10), 0, [new(7, 2)]),
            DoneAhead = [new(7, 2)],
            Uncertain = [new(5, 1)],
            OtherErrors = new Dictionary<string, long> { ["503/20006"] = 2 },
            Seconds = Legs.Seconds(0, 2, inserted: 1, machine: 0.5),
            Partitions = [Legs.Partition("", "FF", 0, 1.5, 2.5)],
            StartLatenessMs = 1.5,
            KeptSchedule = true,
            Failures = ["x"],
            Warnings = ["y"],
        };
        result.AttemptLatency.Record(TimeSpan.FromMilliseconds(3));
        await Files.CreateResultIfAbsentAsync(result, Cancellation);
        var read = (await Files.ReadResultAsync(0, 1, Cancellation))!;

        Assert.Equivalent(
            result with { AttemptLatency = read.AttemptLatency, OperationLatency = read.OperationLatency }, read, strict: true);
        Assert.Equal(1, read.AttemptLatency.Count);
    }

    [Fact]
    public async Task Keep_SecondCaller_GetsTheFirstItem()
    {
        var start = new StartInstant(DateTimeOffset.UnixEpoch, 4);
        Assert.Null(await Files.ReadStartAsync(Cancellation));
        Assert.Equal(start, await Files.SetStartAsync(start, Cancellation));
        Assert.Equal(start, await Files.SetStartAsync(new StartInstant(DateTimeOffset.UnixEpoch.AddDays(1), 3), Cancellation));

        var listing = new RunListing("test", "Nächte", DateTimeOffset.UnixEpoch.AddTicks(1));
        Assert.Null(await Files.ReadListingAsync(Cancellation));
        Assert.Equal(listing, await Files.CreateListingIfAbsentAsync(listing, Cancellation));
        Assert.Equal(listing, await Files.CreateListingIfAbsentAsync(listing with { StartedAt = DateTimeOffset.UnixEpoch }, Cancellation));

        var prepared = new PreparedContainer
        {
            Target = new("d", "c", "/p"), Created = true, Simulated = true, CountBefore = 0, Warnings = ["w"],
        };
        await Files.CreatePreparedIfAbsentAsync(prepared, Cancellation);
        var kept = await Files.CreatePreparedIfAbsentAsync(prepared with { CountBefore = 500 }, Cancellation);
        Assert.Equivalent(prepared, kept, strict: true);
    }

    [Fact]
    public async Task Mark_Twice_IsOneMark()
    {
        Assert.True(await Files.MarkReadyAsync(3, Cancellation));
        Assert.False(await Files.MarkReadyAsync(3, Cancellation));
        await Files.MarkReadyAsync(4, Cancellation);
        Assert.Equal([3, 4], await Files.ListReadyAsync(Cancellation));

        Assert.Equal((false, false), (await Files.IsStopRequestedAsync(Cancellation), await Files.IsContainerGoneAsync(Cancellation)));
        await Files.RequestStopAsync(Cancellation);
        await Files.RequestStopAsync(Cancellation);
        await Files.MarkContainerGoneAsync(Cancellation);
        await Files.MarkContainerGoneAsync(Cancellation);
        Assert.Equal((true, true), (await Files.IsStopRequestedAsync(Cancellation), await Files.IsContainerGoneAsync(Cancellation)));
    }

    [Fact]
    public async Task NoteBegun_EachProgram_IsKeptInTheirOrder()
    {
        Assert.Empty(await Files.ReadBegunAsync(Cancellation));
        await Files.NoteBegunAsync(DateTimeOffset.UnixEpoch.AddDays(1), Cancellation);
        await Files.NoteBegunAsync(DateTimeOffset.UnixEpoch, Cancellation);
        Assert.Equal([DateTimeOffset.UnixEpoch.AddDays(1), DateTimeOffset.UnixEpoch], await Files.ReadBegunAsync(Cancellation));
    }

    [Fact]
    public async Task NoteBegun_SameOrchestrationTwice_IsKeptOnce()
    {
        foreach (var by in new[] { "test", "test", "test:resumed-2", "test:resumed-2", "test" })
            await Files.NoteBegunAsync(DateTimeOffset.UnixEpoch, Cancellation, by);
        Assert.Equal(2, (await Files.ReadBegunAsync(Cancellation)).Count);
    }

    [Fact]
    public async Task WriteEnded_Twice_ComesBackWhole()
    {
        var ended = new RunEnded(
            new RunOutcome
            {
                RunId = "test", State = RunState.Incomplete, Counts = new() { Inserted = 5, Failed = 1 }, Remaining = 4, Verified = 5,
                Reasons = ["r"],
            },
            DateTimeOffset.UnixEpoch);
        Assert.Null(await Files.ReadEndedAsync(Cancellation));

        await Files.WriteEndedAsync(ended, Cancellation);
        await Files.WriteEndedAsync(ended, Cancellation);

        Assert.Equivalent(ended, await Files.ReadEndedAsync(Cancellation), strict: true);
    }

    [Theory]
    [InlineData("changed", "test/report.html is damaged: it does not have the checksum that report-checksums.json has of it")]
    [InlineData("", "test/report.html is damaged: it is missing or empty")]
    public async Task FindReportDamage_FormIsNotWhatWasWritten_NamesIt(string content, string damage)
    {
        await Files.WriteReportAsync([("report.html", () => [.. "old"u8]), ("report.md", () => [.. "old"u8])], Cancellation);
        await Files.WriteReportAsync([("report.html", () => [.. "page"u8]), ("report.md", () => [.. "text"u8])], Cancellation);
        Assert.Null(await Files.FindReportDamageAsync(Cancellation));
        Assert.Equal("page"u8.ToArray(), await Files.ReadReportAsync("report.html", Cancellation));

        await Files.WriteReportAsync("report.html", Encoding.UTF8.GetBytes(content), Cancellation);

        Assert.StartsWith(damage, (await Files.FindReportDamageAsync(Cancellation))!.Message, StringComparison.Ordinal);
        Assert.Equal("text"u8.ToArray(), await Files.ReadReportAsync("report.md", Cancellation));
    }

    /// <summary>Old checksums never stay beside new forms, and a form that is written is kept.</summary>
    [Fact]
    public async Task WriteReport_FormCannotBeMade_KeepsThoseBeforeItWithoutChecksums()
    {
        await Files.WriteReportAsync([("report.csv", () => [.. "old"u8]), ("report.html", () => [.. "old"u8])], Cancellation);
        (string, Func<byte[]>)[] forms =
            [("report.csv", () => [.. "new"u8]), ("report.html", () => throw new InvalidOperationException("no page"))];

        await Assert.ThrowsAsync<InvalidOperationException>(() => Files.WriteReportAsync(forms, Cancellation));

        Assert.Equal("new"u8.ToArray(), await Store.ReadAsync("test", "report.csv", Cancellation));
        Assert.Null(await Files.ReadReportAsync("report.html", Cancellation));
        Assert.Null(await Store.ReadAsync("test", "report-checksums.json", Cancellation));
    }

    /// <summary>Without checksums nobody knows whether a form was edited; <c>report.json</c> has one of its own.</summary>
    [Fact]
    public async Task ReadReport_OfAnEndedRunWithoutChecksums_IsDamaged()
    {
        var json = StoredItem.Write("test/report.json", new { runId = "test" });
        await Files.WriteReportAsync([("report.json", () => json), ("report.html", () => [.. "page"u8])], Cancellation);
        await Files.WriteReportAsync("report.html", "edited"u8.ToArray(), Cancellation);
        await Store.DeleteAsync("test", name => name == "report-checksums.json", Cancellation);
        Assert.Null(await Files.ReadReportAsync("report.html", Cancellation));

        var outcome = new RunOutcome { RunId = "test", State = RunState.Complete, Counts = new(), Remaining = 0, Reasons = [] };
        await Files.WriteEndedAsync(new RunEnded(outcome, DateTimeOffset.UnixEpoch), Cancellation);

        var e = await Assert.ThrowsAsync<EvidenceException>(() => Files.ReadReportAsync("report.html", Cancellation));
        Assert.StartsWith("test/report-checksums.json is damaged: it is missing", e.Message, StringComparison.Ordinal);
        Assert.Equal(json, await Files.ReadReportAsync("report.json", Cancellation));
    }

    [Fact]
    public async Task Discard_RunThatEnded_LeavesItsClaimItsListingAndItsResumption()
    {
        var spec = new RunSpec { Id = "test" };
        var resumption = new RunResumption(2, "test:again-2", DateTimeOffset.UnixEpoch);
        Assert.True(await Files.TryClaimAsync(spec, Cancellation));
        Assert.Null(await Files.ReadResumptionAsync(Cancellation));
        await Files.CreateListingIfAbsentAsync(new RunListing("test", null, DateTimeOffset.UnixEpoch), Cancellation);
        await Files.WriteResumptionAsync(resumption, Cancellation);
        await BeginAsync(worker: 0, leg: 1, attempts: 2);
        await Files.RequestStopAsync(Cancellation);
        await Files.MarkContainerGoneAsync(Cancellation);
        await Files.WriteReportAsync("report.json", "{}"u8.ToArray(), Cancellation);

        await Files.DiscardAsync(Cancellation);

        Assert.False(await Files.TryClaimAsync(spec, Cancellation));
        Assert.NotNull(await Files.ReadListingAsync(Cancellation));
        Assert.Equal(resumption, await Files.ReadResumptionAsync(Cancellation));
        Assert.Null(await Files.ReadReportAsync("report.json", Cancellation));
        Assert.Equal((false, false), (await Files.IsStopRequestedAsync(Cancellation), await Files.IsContainerGoneAsync(Cancellation)));
        Assert.Equal(1, await Files.ClaimAttemptAsync(0, 1, "a", Cancellation));
    }

    private static string Result(int worker, int leg) => LegNames.Result(worker, leg);

    private async Task BeginAsync(int worker, int leg, int attempts)
    {
        for (var attempt = 0; attempt < attempts; attempt++)
            await Files.ClaimAttemptAsync(worker, leg, "a", Cancellation);
    }
}
