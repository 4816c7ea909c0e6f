namespace ScaleOut.Tests.EndToEnd.LegRuns;

/// <summary>
/// Open loops and step loads over several legs, and batches of rows of a CSV file, on the real SDK against the simulated account.
/// </summary>
public sealed class LoadTests : LegsOnAccount
{
    [Fact]
    public async Task Run_RateBelowOneDocumentALeg_WaitsThroughLegsAndKeepsTheRate()
    {
        await using var account = await StartAsync();
        // The first document is due at once, the second after 4 s and some legs.
        var legs = await RunAllAsync(account, await LegAsync(account, 2, new WorkloadSpec(), rate: 0.25));

        Assert.Equal((2, LegEnd.SliceDone), (legs.Sum(leg => leg.Output.Counts.Inserted), legs[^1].Output.End));
        Assert.All(legs.SkipLast(1), leg => Assert.Equal(LegEnd.TimeUp, leg.Output.End));
        Assert.All(legs, leg => Assert.Equal(leg.Output.Counts.Done == 0, leg.Output.NothingDue));
        Assert.True(legs[^1].EndedAt - legs[0].StartedAt >= TimeSpan.FromSeconds(3.9), "The second document came early.");
        Assert.Equal(legs.Select(leg => leg.ScheduleSeconds).Order(), legs.Select(leg => leg.ScheduleSeconds));
    }

    /// <summary>The account charges no more than the time permits. Without a pace the leg would end much sooner.</summary>
    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [InlineData(200.0, null)]
    [InlineData(null, 0.002)]
    public async Task Run_RequestUnitRateOrShare_IsChargedNoMoreInTheTime(double? rate, double? share)
    {
        await using var account = await StartAsync();
        await Files.CreatePreparedIfAbsentAsync(
            new() { RunId = RunId, Target = Target, Created = true, Simulated = true, CountBefore = 0, BudgetPerSecond = 100_000 },
            Cancellation);

        var legs = await RunAllAsync(
            account, await LegAsync(account, 120, new WorkloadSpec { RequestUnitRate = rate, MaxRequestUnitShare = share }));

        // At the start of a leg a few operations go out whose charge is not yet known.
        var charged = legs.Sum(leg => leg.Counts.RequestUnits.Value);
        var seconds = legs.Sum(leg => (leg.EndedAt - leg.StartedAt).TotalSeconds);
        Assert.Equal(120, legs.Sum(leg => leg.Output.Counts.Inserted));
        Assert.InRange(charged, 400, 200 * (seconds + (0.25 * legs.Count)));
    }

    /// <summary>Beside live traffic, preloading must not use more RU/s than the run may.</summary>
    [Fact]
    public async Task Preload_RequestUnitRate_WritesNoFaster()
    {
        await using var account = await StartAsync();
        var leg = await LegAsync(account, 1, new WorkloadSpec { Kind = WorkloadKind.Read, Preload = 200, RequestUnitRate = 400 });
        leg = leg with { Leg = 1, Assignment = leg.Assignment with { Preloads = true } };

        var begun = Stopwatch.GetTimestamp();
        await RunAllAsync(account, leg);

        var seconds = Stopwatch.GetElapsedTime(begun).TotalSeconds;
        Assert.InRange(account.ReadLedger().Operations.Create.RequestUnits.Value, 1_000, 400 * (seconds + 0.5));
        Assert.Equal(200, account.ReadLedger().Documents.Created);
    }

    [Fact]
    public void Pace_ShareOfUnknownRequestUnits_SuggestsARate() => Assert.Contains(
        "requestUnitRate instead",
        Assert.Throws<InvalidOperationException>(
            () => RequestUnitPace.From(Leg(1, new() { MaxRequestUnitShare = 0.5 }).Assignment, budgetPerSecond: null)).Message,
        StringComparison.Ordinal);

    [Fact]
    public async Task Run_StepsOfRates_GoOnFromLegToLegAndEndTheSlice()
    {
        await using var account = await StartAsync();
        var workload = new WorkloadSpec { Steps = [Step(rate: 20, seconds: 2), Step(rate: 60, seconds: 1)] };

        var legs = await RunAllAsync(account, await LegAsync(account, 1_000, workload));

        Assert.Equal(LegEnd.StepsDone, legs[^1].Output.End);
        Assert.True(legs.Count > 1, "There was one leg only.");
        var steps = SumsByStep(legs, step => step.Counts.Inserted);
        // At most 2 s x 20 and 1 s x 60 documents are due; a busy machine writes fewer.
        Assert.InRange(steps.Values.Sum(), 2, 100);
        Assert.InRange(steps.GetValueOrDefault(0), 0, 41);
        Assert.Equal(account.ReadLedger().Documents.Created, steps.Values.Sum());
    }

    [Fact]
    public async Task Run_StepsOfConcurrency_HaveSoManyInFlight()
    {
        var slow = LatencyProfile.None with { Name = null, WriteMedianMs = 100 };
        await using var account = await StartAsync(latency: slow);
        var workload = new WorkloadSpec
        {
            Steps = [Concurrency(1, 1), Concurrency(0, 1), Concurrency(8, 2)], ThinkTime = TimeSpan.FromMilliseconds(20),
        };

        var legs = await RunAllAsync(account, await LegAsync(account, 10_000, workload));

        var steps = SumsByStep(legs, step => step.Operations);
        // An operation loop does at most one operation in 100 ms. An operation in flight at a step's end counts in the next step.
        Assert.InRange(steps.GetValueOrDefault(0), 0, 11);
        Assert.InRange(steps.GetValueOrDefault(1), 0, 1);
        Assert.InRange(steps.GetValueOrDefault(2), 1, 8 * 21);
        Assert.Equal(steps.Values.Sum(), account.ReadLedger().Documents.Created);
    }

    [Theory]
    [InlineData(ConnectionMode.Gateway)]
    [InlineData(ConnectionMode.Direct)]
    public async Task Run_BatchesOfCsvRows_AreSplitByKey(ConnectionMode mode)
    {
        var file = Path.Combine(Folder, "rows.csv");
        // 12 rows of 5 airports, and one broken row.
        string[] airports = ["ATL", "ATL", "SEA", "ZRH", "ATL", "DEN", "SEA", "ATL", "DEN", "ATL", "SEA", "VIE"];
        await File.WriteAllLinesAsync(file, ["airport,n", .. airports.Select((airport, i) => $"{airport},{i}"), "broken"], Cancellation);
        var document =
            new DocumentSpec { Kind = DocumentKind.Csv, Csv = file, KeyColumn = "airport", OnBrokenRow = BrokenRowRule.Skip };
        await using var account = await StartAsync();
        var batches = new WorkloadSpec { Kind = WorkloadKind.Batch, BatchSize = 5 };
        var leg = await LegAsync(account, 24, batches, document: document, keyPath: "/airport", mode: mode);

        var result = Assert.Single(await RunAllAsync(account, leg));

        var ledger = account.ReadLedger();
        Assert.Equal((LegEnd.SliceDone, 24, 0), (result.Output.End, result.Output.Counts.Inserted, result.Output.Counts.Failed));
        Assert.Equal(24, ledger.Documents.Created);
        // In order of keys, twice over: 5 ATL | 2 DEN 3 SEA | VIE ZRH 3 ATL | 2 ATL 2 DEN SEA | 2 SEA VIE ZRH.
        Assert.Equal(1 + 2 + 3 + 3 + 3, ledger.Operations.Batch.Attempts);
        Assert.Equal(ledger.Operations.Batch.Attempts, result.Counts.Attempts);
        Assert.Equal(5, result.Operations);
        Assert.Equal(ledger.Operations.Batch.RequestUnits.Value, result.Counts.RequestUnits.Value, precision: 3);
        Assert.Equal(
            [
                "document.csv: 1 of 13 rows are broken: line 14 (another number of columns than the header); they were skipped.",
                "document.csv: its 12 rows repeat in 24 documents; a repeated row has an id of the run.",
            ],
            result.Warnings);
    }

    [Fact]
    public async Task Run_CsvThatCannotBeUsed_IsRejectedWithTheReason()
    {
        var document = new DocumentSpec { Kind = DocumentKind.Csv, Csv = "no/such.csv", KeyColumn = "airport" };
        await using var account = await StartAsync();

        var result = Assert.Single(
            await RunAllAsync(account, await LegAsync(account, 24, new WorkloadSpec(), document: document, keyPath: "/airport")));

        Assert.Equal((LegEnd.Rejected, "document.csv: there is no file \"no/such.csv\""), (result.Output.End, result.Output.Reason));
    }

    private static StepSpec Step(double rate, int seconds) => new() { Rate = rate, Duration = TimeSpan.FromSeconds(seconds) };

    private static StepSpec Concurrency(int concurrency, int seconds) =>
        new() { Concurrency = concurrency, Duration = TimeSpan.FromSeconds(seconds) };

    private static Dictionary<int, long> SumsByStep(IEnumerable<LegResult> legs, Func<PartSample, long> figure) =>
        legs.SelectMany(leg => leg.Steps).GroupBy(step => step.Part).ToDictionary(group => group.Key, group => group.Sum(figure));

    private async Task<IReadOnlyList<LegResult>> RunAllAsync(SimulatedAccount account, LegInput leg)
    {
        await using var runner = new LegRunner(Store, account.Connection(), new NoProgress()) { WorkersShareMachine = true };
        var results = new List<LegResult>();
        do
        {
            var output = await runner.RunAsync(leg, Cancellation);
            results.Add(await ResultAsync(leg));
            leg = leg with { Leg = leg.Leg + 1, Next = output.Next };
        }
        while (results[^1].Output.End == LegEnd.TimeUp);
        return results;
    }

    /// <summary>A leg of a second on a container of its own.</summary>
    private static async Task<LegInput> LegAsync(
        SimulatedAccount account, long documents, WorkloadSpec workload, double? rate = null, DocumentSpec? document = null,
        string keyPath = "/PartitionKey", ConnectionMode mode = ConnectionMode.Gateway)
    {
        await CreateContainerAsync(account, keyPath, throughput: 100_000);
        var leg = Leg(documents, workload, mode, document: document, keyPath: keyPath);
        var client = leg.Assignment.Client with { Rate = rate };
        return leg with { Assignment = leg.Assignment with { Client = client, LegDuration = TimeSpan.FromSeconds(1) } };
    }
}
