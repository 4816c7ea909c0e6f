using ScaleOut.Analysis.Reports.FailIf;

namespace ScaleOut.Tests.Analysis.Limits;

public sealed class LimitReportTests
{
    private static readonly RunReport Throttled = LimitSample.Run(
        1_037, 1_000, BoundBy.RequestUnits, p99: 900, mean: 60, throttledShare: 0.06, used: new Utilization { RequestUnits = 0.99 });

    [Fact]
    public void Judge_DefaultCondition_NamesWhatIsNotMet()
    {
        Assert.True(Judge(LimitSample.Run(1_037)) is { Held: true, Reason: null });
        Assert.True(Judge(Throttled) is { Held: false, Reason: "throttledShare<0.01" });
        Assert.Equal("achievedShare>=0.95", Judge(LimitSample.Run(1_037, achieved: 900)).Reason);
        Assert.Equal("errors==0", Judge(LimitSample.Run(1_037, errors: 1)).Reason);
        Assert.True(Judge(report: null) is { Held: null, Reason: not null });
    }

    [Fact]
    public void Judge_Figures_AreThoseThatTheConditionBounds()
    {
        Assert.Equal([new("throttledShare", 0.06, 0.01, MayBeZero: true)], Judge(Throttled).Figures!);
        Assert.Equal([new("p99", 900, 20, MayBeZero: false)], Judge(Throttled, "p99<20ms && errors==0").Figures!);
        Assert.Null(Judge(Throttled, "p99<20ms || errors==0").Figures);
        Assert.Equal([new("errors", 3, 600, MayBeZero: true)], Judge(LimitSample.Run(1_037, errors: 3), "errors<=600").Figures!);
        Assert.Equal(Math.Log(45), new BoundedFigure("p99", 900, 20, MayBeZero: false).Excess, precision: 9);
        var errors = new BoundedFigure("errors", 0, 600, MayBeZero: true);
        Assert.Equal(Math.Log(0.5), errors.Excess, precision: 9);
        Assert.Equal(0, errors.ValueAt(Math.Log(0.5)), precision: 9);
    }

    [Fact]
    public void Judge_FullMachineOrLateDelays_SaysNothing()
    {
        var delays = new DelayReport
        {
            Responses = 100, Slipped = 50, HaveSlipped = true, ConfiguredMs = new(), DeliveredMs = new(), SlipMs = new(),
        };
        var full = Judge(LimitSample.Run(1_037, 900, BoundBy.Machine, used: new Utilization { Machine = 0.97 }), "p99<20ms");
        var late = Judge(LimitSample.Run(1_037) with { Delays = delays }, "p99<20ms");

        Assert.All([full, late], run => Assert.Equal((null, true), (run.Held, run.OnFullMachine)));
        Assert.Contains("97%", full.Reason, StringComparison.Ordinal);
        Assert.Contains("responses came late", late.Reason, StringComparison.Ordinal);
    }

    /// <summary>The rate is the one that was asked for, so 429s can be judged although latencies cannot.</summary>
    [Fact]
    public void Judge_LateDelaysWithoutABoundOfLatencies_IsDecidedByTheRate()
    {
        var delays = new DelayReport
        {
            Responses = 100, Slipped = 50, HaveSlipped = true, ConfiguredMs = new(), DeliveredMs = new(), SlipMs = new(),
        };
        Assert.False(Judge(LimitSample.Run(1_037, throttledShare: 0.06) with { Delays = delays }, "throttledShare<1%").Held);
        Assert.True(Judge(LimitSample.Run(1_037) with { Delays = delays }, "throttledShare<1%").Held);
        var slow = Judge(LimitSample.Run(1_037, achieved: 900) with { Delays = delays }, "throttledShare<1%");
        Assert.Equal((null, true), (slow.Held, slow.OnFullMachine));
    }

    /// <summary>Attempts wait 3 ms for the clients' CPU at their p99. That decides only where the bound lies within these 3 ms.</summary>
    [Theory]
    [InlineData(19, true)]
    [InlineData(21, null)]
    [InlineData(22.9, null)]
    [InlineData(23.1, false)]
    public void Judge_AttemptsThatWaited_DecidesWhatTheWaitDoesNotChange(double p99, bool? held)
    {
        var report = LimitSample.Run(1_037, p99: p99);
        var waited = report with
        {
            LatencyMs = report.LatencyMs with { Attempt = new() { P50 = 5, P99 = 14 }, IncludesWarmup = false },
            Delays = new()
            {
                Responses = 100, Slipped = 0, HaveSlipped = false, ClientMs = 1, ConfiguredMs = new(),
                DeliveredMs = new() { P50 = 4, P99 = 10 }, SlipMs = new(),
            },
        };

        var judged = Judge(waited, "p99<20ms");
        Assert.Equal((held, held is null), (judged.Held, judged.OnFullMachine));
    }

    [Fact]
    public void Judge_LostLeg_SaysNothing()
    {
        var lost = Judge(LimitSample.Run(1_037, achieved: 400) with { LostLegs = 1 });
        Assert.Equal((null, null, false), (lost.Held, lost.NotMet, lost.OnFullMachine));
        Assert.Contains("a worker was lost", lost.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(LimitDoubt.NoSlope, "does not depend on its rate", "longer steps")]
    [InlineData(LimitDoubt.Drift, "they drift", "changes with time")]
    [InlineData(LimitDoubt.NotBracketed, "outside the rates", "wider range")]
    public void Result_NoLimit_SaysWhyAndWhatToDo(LimitDoubt doubt, string reason, string next)
    {
        var report = LimitSample.Build(Throttled, end: LimitEnd.Unknown, doubt: doubt);
        Assert.Equal((ExperimentState.Incomplete, null, null, null),
            (report.State, report.Limit.Rate, report.Limit.Low, report.Limit.High));
        Assert.StartsWith("No limit can be shown from these runs: ", report.Limit.Text, StringComparison.Ordinal);
        Assert.Contains(reason, report.Limit.Text, StringComparison.Ordinal);
        Assert.Contains(next, LimitSentences.Next(report), StringComparison.Ordinal);
    }

    [Fact]
    public void Method_AnyFit_SaysWhatItsConfidenceRestsOn()
    {
        var text = LimitSentences.Method(LimitSample.Build(Throttled));
        AssertText.Has(text, "estimated from them", "differ by about 2% (one standard deviation)");
    }

    [Theory]
    [InlineData("p99<10ms", "achievedShare>=0.95 && (p99<10ms)")]
    [InlineData("p99<10ms || lostLegs==1", "achievedShare>=0.95 && (p99<10ms || lostLegs==1)")]
    [InlineData("achievedShare>0.5", "achievedShare>0.5")]
    public void Condition_Any_AlsoBoundsTheAchievedShare(string until, string whole) =>
        Assert.Equal(whole, LimitCondition.Parse(until).Value!.Text);

    [Fact]
    public void Condition_UnknownName_IsAnErrorWithTheNearestOne()
    {
        var (condition, errors) = LimitCondition.Parse("throttledShar<0.01");
        Assert.Null(condition);
        Assert.Contains("throttledShare", Assert.Single(errors).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Headline_RequestUnits_SaysRateIntervalCauseAndLoad()
    {
        var report = LimitSample.Build(Throttled);

        Assert.Equal(LimitCause.RequestUnits, report.Limit.StoppedBy);
        Assert.Equal((1_012, 993.2, 1_037.0), (report.Limit.Rate, report.Limit.Low, report.Limit.High));
        Assert.Equal(
            "1,012 inserts/s hold (95% interval 993.2 to 1,037/s); stopped by request units: 99% of 60,000 RU/s used, 6.0% of the attempts "
            + "throttled; by 2 workers with about 4.97 of 20 operations in flight.",
            report.Limit.Text);
        Assert.Equal(
            [(100.0, LimitVerdict.Holds, 1, 0), (993.2, LimitVerdict.Holds, 2, 0), (1_037.0, LimitVerdict.Fails, 0, 2)],
            report.Steps.Select(step => (step.Rate, step.Verdict, step.Held, step.Failed)));
    }

    [Fact]
    public void Headline_LessDoneThanAskedFor_SaysBothAndKeepsTheRateInItsInterval()
    {
        var report = LimitSample.Build(Throttled, end: LimitEnd.NotRefined, achievedShare: 0.96);
        Assert.Equal((1_012, 971.52), (report.Limit.Rate, report.Limit.AchievedPerSecond));
        Assert.Equal(971.52, LimitNumbers.OfSearch(report)["rate"]);
        Assert.StartsWith(
            "1,012 inserts/s hold (95% interval 993.2 to 1,037/s, wider than asked for: the last runs are inconclusive), "
            + "of which 971.52/s are done; stopped by request units",
            report.Limit.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(BoundBy.Client, 0.9, 5, LimitCause.Client)]
    [InlineData(BoundBy.Partition, 0.9, 5, LimitCause.Partition)]
    [InlineData(BoundBy.Latency, 0.9, 50, LimitCause.InFlight)]
    [InlineData(BoundBy.Rate, 1, 5, LimitCause.Latency)]
    public void Cause_FailingRuns_FollowsFromWhatBoundThem(BoundBy bound, double achievedShare, double mean, LimitCause expected)
    {
        var report = LimitSample.Build(
            LimitSample.Run(1_037, achievedShare * 1_037, bound, p99: 12, mean, used: new Utilization { Machine = 0.5, Client = 0.85 }),
            until: "p99<10ms");
        Assert.Equal(expected, report.Limit.StoppedBy);
    }

    [Fact]
    public void Cause_ErrorsAndThrottling_AreNamedByTheCondition()
    {
        Assert.Equal(LimitCause.Errors, LimitSample.Build(LimitSample.Run(1_037, errors: 3)).Limit.StoppedBy);
        Assert.Equal(LimitCause.Throttling, LimitSample.Build(LimitSample.Run(1_037, throttledShare: 0.02)).Limit.StoppedBy);
    }

    /// <summary>429s of one partition are its limit, even if every operation kept its schedule.</summary>
    [Fact]
    public void Cause_ThrottlingOfOnePartition_IsThePartition()
    {
        var report = LimitSample.Build(
            LimitSample.Run(1_037, throttledShare: 0.3, used: new Utilization { RequestUnits = 0.2, PartitionThrottledShare = 0.3 }));
        Assert.Equal(LimitCause.Partition, report.Limit.StoppedBy);
        AssertText.Has(report.Limit.Text, "stopped by one physical partition: 30% of all attempts were 429s of it");
    }

    [Fact]
    public void Headline_NoRateHolds_SaysHowFarItLookedAndWhatAnIntervalNeeds()
    {
        var report = LimitSample.Build(LimitSample.Run(1_037, p99: 40), until: "p99<20ms", end: LimitEnd.NoneHolds);
        AssertText.Has(report.Limit.Text, "No rate holds, not even 1 inserts/s, and none up to 1,037/s either");
        AssertText.Has(LimitSentences.Next(report)!, "a p99 that rises with the rate", "begin higher (from)");
    }

    [Fact]
    public void Build_LowRatesFailed_NamesThemAndDoesNotCountThem()
    {
        MeasuredRun Run(double rate, bool held) => new()
        {
            Rate = rate, Repeat = 1, RunId = $"run-{rate}", Held = held, Reason = held ? null : "p99<20ms",
            NotMet = held ? null : LimitCause.Latency,
        };
        var ending = new ExperimentEnding
        {
            Spec = LimitSample.Spec, StartedAt = RunSample.Start, FinishedAt = RunSample.Start.AddMinutes(3),
            Runs = [Run(100, held: false), Run(50, held: false), Run(200, held: true), Run(400, held: false)],
        };
        var report = LimitReportBuilder.Build(
            ending, new LimitDecision(new LimitBracket(200, 400, 0.95), LimitEnd.Refined), new Dictionary<string, RunReport>());

        AssertText.AnyHas(report.Warnings, "Rates up to 100/s failed before a higher one held");
        Assert.DoesNotContain(report.Warnings, warning => warning.Contains("about a rate", StringComparison.Ordinal));
        Assert.Equal(
            [(50, LimitVerdict.Fails, 0), (100, LimitVerdict.Fails, 0), (200, LimitVerdict.Holds, 0), (400.0, LimitVerdict.Fails, 1)],
            report.Steps.Select(step => (step.Rate, step.Verdict, step.Failed)));
    }

    /// <summary>The cause follows from the names that the condition compares, not from other words of its text.</summary>
    [Fact]
    public void Cause_ConditionOfAnotherNumber_IsTheCondition()
    {
        var report = LimitSample.Build(LimitSample.Run(1_037, throttledShare: 0.5), until: "requestUnits.perInsert<1 && p99<1s");
        Assert.Equal(LimitCause.Condition, report.Limit.StoppedBy);
        Assert.Equal(
            [LimitCause.Throttling, LimitCause.Errors, LimitCause.Latency, LimitCause.Condition],
            new[] { "requests.throttled", "documents.failed", "latencyMs.attempt.p99", "requestUnits.opening" }
                .Select(name => ConditionName.From(name).Cause));
    }

    [Fact]
    public void State_EachEnd_FollowsFromIt()
    {
        Assert.Equal(ExperimentState.Complete, LimitSample.Build(Throttled).State);
        Assert.Equal(ExperimentState.Stopped, LimitSample.Build(Throttled, end: LimitEnd.Stopped).State);
        Assert.Equal(ExperimentState.Incomplete, LimitSample.Build(Throttled, end: LimitEnd.GivenUp).State);
    }

    private static MeasuredRun Judge(RunReport? report, string? until = null) =>
        LimitCondition.From(new LimitSpec { Until = until }).Judge(new MeasuredRun { Rate = 1_037, Repeat = 1, RunId = "run" }, report);
}
