namespace ScaleOut.Tests.Analysis.Reports;

public sealed class SentencesTests
{
    private static readonly RunReport Report = new RunSample { Seconds = 20, Spec = new() { Id = "test", Documents = 4_000 } }.Build();

    [Fact]
    public void Headline_WithOverlap_HasItsRateItsSecondsAndAllThatIsDone()
    {
        var report = Report with { Throughput = new() { MakespanPerSecond = 200, OverlapPerSecond = 215.4, OverlapSeconds = 15 } };
        Assert.Equal(
            "215 inserts per second by 4 workers, over the 15.0 s in which all were at work; all 4,000 documents written",
            Sentences.Headline(report));
    }

    /// <summary>What a complete run wrote outside its overlap window is not missing.</summary>
    [Theory]
    [InlineData(1, "; 1 document written")]
    [InlineData(2, "; all 2 documents written")]
    public void Headline_CompleteRun_NeverReadsLikeALoss(long asked, string end)
    {
        var report = Report with
        {
            Documents = Report.Documents with { Asked = asked, Inserted = asked },
            Throughput = Report.Throughput with { OverlapPerSecond = 0.1, OverlapSeconds = 5 },
        };
        Assert.EndsWith(end, Sentences.Headline(report), StringComparison.Ordinal);
    }

    [Fact]
    public void Headline_WithoutOverlap_HasTheWholeRunsCountSecondsAndRate()
    {
        var report = Report with
        {
            Documents = Report.Documents with { Asked = 200, Inserted = 200 },
            Throughput = new() { MakespanPerSecond = 7.25, MakespanSeconds = 27.6, OverlapSeconds = 0 },
        };
        Assert.Equal(
            "7.25 inserts per second by 4 workers, over the 27.6 s from first to last; all 200 documents written",
            Sentences.Headline(report));
    }

    [Theory]
    [InlineData("503/20006", "3 of 4 attempts ended in one, most of them 503/20006: ")]
    [InlineData("0", "3 of 4 attempts ended in one, most of them without a response: ")]
    public void Headline_BoundByErrors_SaysInWhichMostAttemptsEnded(string status, string said)
    {
        var requests = Report.Requests with
        {
            Attempts = 4,
            OtherErrors = 3,
            ErrorsByStatus = new Dictionary<string, long> { [status] = 2, ["410"] = 1 },
        };

        var report = Report with { BoundBy = BoundBy.Errors, Requests = requests, Failures = [] };

        Assert.Contains(said, Sentences.Headline(report), StringComparison.Ordinal);
    }

    [Fact]
    public void Headline_PartOfTheDocuments_SaysOfHowMany() =>
        Assert.EndsWith(
            "; 3,000 of 4,000 documents written",
            Sentences.Headline(Report with
            {
                Documents = Report.Documents with { Inserted = 3_000, Remaining = 1_000 },
                Throughput = Report.Throughput with { OverlapPerSecond = null },
            }), StringComparison.Ordinal);

    [Theory]
    [InlineData(BoundBy.Errors, "Bound by errors:")]
    [InlineData(BoundBy.RequestUnits, "Bound by request units:")]
    [InlineData(BoundBy.Partition, "Bound by one physical partition:")]
    [InlineData(BoundBy.Client, "Bound by the clients' CPU:")]
    [InlineData(BoundBy.Machine, "Bound by the machine:")]
    [InlineData(BoundBy.Rate, "Bound by the rate asked for:")]
    [InlineData(BoundBy.Latency, "Bound by latency:")]
    public void Bound_Limit_IsSaidInPlainWords(BoundBy limit, string start) =>
        Assert.StartsWith(start, Sentences.Bound(Report with { BoundBy = limit }), StringComparison.Ordinal);

    [Fact]
    public void Bound_RequestUnitsThatWereNotUsedUp_SaysThatTheLoadCameInBursts() => AssertText.Has(
        Sentences.Bound(Report with
        {
            BoundBy = BoundBy.RequestUnits,
            Utilization = new() { RequestUnits = 0.76, ThrottledAttempts = 0.14 },
        })!,
        "Bound by request units: 14% of all attempts were 429s, although the load used 76% of the container's", "it came in bursts",
        "Next step: fewer operations in flight");

    [Fact]
    public void Bound_NothingRan_SaysNothing() => Assert.Null(Sentences.Bound(Report with { BoundBy = null }));

    [Theory]
    [InlineData(RunState.Complete, "Complete:")]
    [InlineData(RunState.Incomplete, "Incomplete:")]
    [InlineData(RunState.Stopped, "Stopped:")]
    [InlineData(RunState.Failed, "Failed: at least one worker")]
    public void State_Any_IsExplained(RunState state, string start) =>
        Assert.StartsWith(start, Sentences.State(Report with { State = state }), StringComparison.Ordinal);

    [Theory]
    [InlineData(BoundBy.RequestUnits, "more throughput")]
    [InlineData(BoundBy.Machine, "a larger machine")]
    [InlineData(BoundBy.Latency, "more operations in flight, or more workers, with room for about 2.5 x until the RU/s are used up")]
    public void NextStep_Bound_NamesTheOneChange(BoundBy bound, string change) =>
        Assert.StartsWith(
            $"Next step: {change}", NextStep.From(bound, new Utilization { RequestUnits = 0.4, Client = 0.2, Machine = 0.3 }),
            StringComparison.Ordinal);

    [Theory]
    [InlineData(BoundBy.Rate)]
    [InlineData(BoundBy.RequestUnits)]
    public void NextStep_RunWithRequestUnitsOfItsOwn_IsToPermitMore(BoundBy bound) =>
        Assert.StartsWith("Next step: permit more RU/s", NextStep.From(bound, used: null, isPaced: true), StringComparison.Ordinal);

    /// <summary>The copied command runs as it is: it gives the option once, and leaves out the id, which is taken.</summary>
    [Theory]
    [InlineData(BoundBy.RequestUnits, "devbox run --id a --throughput 60000 --workers 4", "devbox run --workers 4 --throughput 120000")]
    [InlineData(BoundBy.RequestUnits, "devbox run plan.json", "devbox run plan.json --throughput 120000")]
    [InlineData(BoundBy.Client, "devbox run --workers=4", "devbox run --workers 8")]
    [InlineData(BoundBy.Machine, "devbox run --workers 4", "devbox run --workers 4")]
    [InlineData(BoundBy.RequestUnits, "POST /api/runs", null)]
    [InlineData(BoundBy.RequestUnits, null, null)]
    public void CommandOf_Bound_HasTwiceAsMuchOfIt(BoundBy bound, string? startedBy, string? command)
    {
        Assert.Equal((60_000, 4), (Report.Spec.Container.Throughput, Report.Spec.Workers));
        Assert.Equal(command, NextStep.CommandOf(Report with { BoundBy = bound, StartedBy = startedBy }));
    }

    /// <summary>A run does not change the throughput of a database that is there; the simulated account makes it for the run.</summary>
    [Theory]
    [InlineData(true, "devbox run --throughput 120000")]
    [InlineData(false, "devbox run")]
    public void CommandOf_ThroughputOfADatabase_IsRaisedOnlyOnTheSimulatedAccount(bool simulated, string command) => Assert.Equal(
        command,
        NextStep.CommandOf(Report with
        {
            BoundBy = BoundBy.RequestUnits,
            StartedBy = "devbox run",
            Simulated = simulated,
            Spec = Report.Spec with { Simulation = null, Container = new() { SharedThroughput = true } },
        }));

    [Fact]
    public void NextStep_MachineUsedByOtherPrograms_IsToCloseThem() =>
        Assert.Contains("close what else runs", NextStep.From(BoundBy.Machine, new() { MachineByOthers = 0.3 }), StringComparison.Ordinal);

    [Theory]
    [InlineData(BoundBy.RequestUnits, false, "something about Cosmos DB: it is what the container's RU/s give")]
    [InlineData(BoundBy.RequestUnits, true, "says nothing about Cosmos DB")]
    [InlineData(BoundBy.Latency, true, "says nothing about Cosmos DB")]
    [InlineData(BoundBy.Machine, false, "something about this machine, not Cosmos DB")]
    [InlineData(BoundBy.Client, true, "something about the clients, not Cosmos DB")]
    public void SpeaksOf_Bound_SaysWhetherTheResultIsAboutCosmosDb(BoundBy bound, bool simulated, string text) =>
        Assert.Contains(text, NextStep.EvidenceFor(bound, simulated), StringComparison.Ordinal);
}
