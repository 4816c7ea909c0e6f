using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.EndToEnd.Reporting;

/// <summary>Reports of real legs, with their own times and with times as interruptions and wrong clocks change them.</summary>
public sealed class RunTimesTests(InterruptedRun run) : IClassFixture<InterruptedRun>
{
    private const double Budget = 4_000;

    public static TheoryData<string, string> Contradictions => new()
    {
        { "shifted", "leg 1 of worker 0 started at" },
        { "ends before it starts", "leg 1 of worker 0 ended at" },
        { "before the run", "before the run began at" },
        { "in the future", "after the run had ended at" },
        { "overlap", "leg 2 of worker 0 started at" },
        { "samples elsewhere", "but has figures of the seconds" },
        { "too long", "but a leg ends after 3.0 s" },
        { "other stopwatch", "by its stopwatch" },
        { "before it was asked for", "before the orchestration asked for it at" },
        { "after its result was known", "which knew its result, asked for leg 2 at" },
        { "clock ahead", "the clock of worker 0 is at least 6.0 s ahead" },
        { "clock behind", "the clock of worker 0 is at least 7.0 s behind" },
        { "other start", "the common start was set to" },
    };

    [Fact]
    public void Report_ResumedAfterThreeDaysByTheClock_LeavesThemOutAndSaysSo()
    {
        var report = run.Report;
        var interruption = Assert.Single(report.Interruptions);

        Assert.Equal((RunState.Complete, 6_000L, 2), (report.State, report.Documents.Verified, report.LostLegs));
        Assert.Empty(report.TimeErrors);
        Assert.InRange(interruption.To - interruption.From, InterruptedRun.Interrupted, InterruptedRun.Interrupted + TimeSpan.FromHours(1));
        Assert.Equal(run.Legs.Begun[1], interruption.ResumedAt);
        Assert.Equal(run.Legs.Begun[0], report.StartedAt);
        // The account's seconds begin elsewhere, so each edge of the two stretches may add a second of its budget.
        var fastest = (6_000 * 5 / Budget) - (2 * 2);
        Assert.InRange(report.Throughput.MakespanSeconds!.Value, fastest, InterruptedRun.Interrupted.TotalSeconds / 2);
        var rate = report.Documents.Inserted / report.Throughput.MakespanSeconds.Value;
        Assert.Equal(rate, report.Throughput.MakespanPerSecond!.Value, tolerance: 0.5);
        Assert.All(report.Workers, worker => Assert.True(worker.Throughput.MakespanSeconds <= report.Throughput.MakespanSeconds));
        Assert.All(report.Workers, worker => Assert.True(worker.IdleBetweenLegsSeconds < InterruptedRun.Interrupted.TotalSeconds / 2));
        Assert.Equal(2, report.Stretches.Count);
        var said = Assert.Single(report.Warnings, text => text.StartsWith("The run was interrupted from", StringComparison.Ordinal));
        Assert.Contains("it was resumed at", said, StringComparison.Ordinal);
        Assert.InRange(RunStatus.From(ReportSaver.OutcomeOf(run.Ending, report), 6_000).PerSecond!.Value.RequestUnits, 1, 1.1 * Budget * 2);
    }

    [Fact]
    public void Report_WallClockSetDuringLegs_MovesNoLegAndSaysSo()
    {
        Assert.Contains(run.Legs.Results, leg => leg.Clocks!.StepMs > 3_599_000);
        Assert.InRange(run.Legs.Results.Max(leg => leg.EndedAt), run.Legs.Begun[1], run.Legs.Begun[1] + TimeSpan.FromMinutes(59));
        AssertText.AnyHas(run.Report.Warnings, "was set forward by 1 h 0 min");
    }

    [Fact]
    public void Build_InterruptionOfAnyLength_ChangesNoFigureAndNoSize()
    {
        // Without a pause, one leg could end in the same second in which the next one begins.
        var (ending, legs) = run.With(TimeSpan.FromSeconds(2) - InterruptedRun.Interrupted);
        ending = ending with { StartedAt = legs.Begun[0] };
        var brief = RunReportBuilder.Build(ending, legs);
        var (straightEnding, straightLegs) = run.Straight();
        Assert.Equal(RunReportBuilder.Build(straightEnding, straightLegs).Throughput, brief.Throughput);
        // The size of the first of them. A busy machine may bring an interruption of its own into the brief one.
        int? size = null;
        foreach (var length in new[] { TimeSpan.FromMinutes(4), TimeSpan.FromDays(3), TimeSpan.FromDays(36_500) })
        {
            var (later, shifted) = run.With(length - InterruptedRun.Interrupted);
            var report = RunReportBuilder.Build(later with { StartedAt = ending.StartedAt }, shifted);

            Assert.Equal((brief.State, brief.BoundBy, brief.Utilization), (report.State, report.BoundBy, report.Utilization));
            Assert.Equal((brief.Throughput, brief.RequestUnits), (report.Throughput, report.RequestUnits));
            Assert.Equal(brief.Series.Select(point => point.Counts.Inserted), report.Series.Select(point => point.Counts.Inserted));
            size ??= RunForms.Kind.Write(report).Length;
            Assert.InRange(RunForms.Kind.Write(report).Length, 1, size.Value + 1_000);
            Assert.Equal(report.Series.Count + 1, RunForms.Kind.Write(report, "report.csv").Count(c => c == '\n'));
            var page = XDocument.Parse(RunForms.Kind.PageOf(report).ToHtml());
            Assert.Contains(
                page.Descendants("figure").Select(figure => JsonNode.Parse(figure.Element("script")!.Value)!),
                chart => chart["marks"]!.AsArray().Any(mark => (string?)mark!["colour"] == "cut"));
        }
    }

    [Theory, MemberData(nameof(Contradictions))]
    public void Build_ImpossibleTimes_AreNamedAndNoRateIsClaimed(string what, string named)
    {
        var (ending, legs) = Contradict(what);
        var report = RunReportBuilder.Build(ending, legs);
        AssertText.AnyHas(report.TimeErrors, named);
        Assert.StartsWith("The run's times cannot be right, so no rate is claimed: ", report.Warnings[0], StringComparison.Ordinal);
        Assert.Equal(RunState.Incomplete, report.State);
        AssertClaimsNothing(report);
    }

    [Fact]
    public void Build_LegsMovedAtRandom_NeverClaimsMoreThanTheBudgetAndStaysSmall()
    {
        var (ending, legs) = run.Straight();
        var size = RunForms.Kind.Write(RunReportBuilder.Build(ending, legs)).Length;
        // The results of earlier versions say nothing about their clocks.
        var bare = legs with { Start = null, Results = [.. legs.Results.Select(leg => leg with { StartLatenessMs = null })] };
        var wide = ending with { StartedAt = ending.StartedAt.AddDays(-30), FinishedAt = ending.FinishedAt.AddDays(30) };
        var shift = Gen.Frequency(
            (3, Gen.Constant(0)), (2, Gen.Choose(-9, 9)), (2, Gen.Choose(-300, 300)), (1, Gen.Choose(-2_000_000, 2_000_000)));
        Properties.Holds(Prop.ForAll(shift.ListOf(legs.Results.Count).ToArbitrary(), ArbMap.Default.ArbFor<bool>(), (shifts, isBare) =>
        {
            var kept = isBare ? bare : legs;
            var moved = kept.Results
                .Zip(shifts, (leg, seconds) => InterruptedRun.Shift(leg, TimeSpan.FromSeconds(seconds)))
                .Select(leg => isBare ? leg with { Clocks = null } : leg);
            var report = RunReportBuilder.Build(isBare ? wide : ending, kept with { Results = [.. moved] });
            if (report.TimeErrors.Count > 0)
                AssertClaimsNothing(report);
            var seconds = report.Throughput.OverlapPerSecond is null ? report.Throughput.MakespanSeconds : report.Throughput.OverlapSeconds;
            // Adds a second of the account's budget and the operations in flight at either edge.
            var most = (1.1 * Budget * seconds) + (2 * Budget) + (2 * 10 * 6);
            return RunForms.Kind.Write(report).Length < (2 * size) + 50_000
                && (report.TimeErrors.Count > 0 || report.RequestUnits.PerSecondMean * seconds <= most)
                && (report.TimeErrors.Count > 0) == (report.State != RunState.Complete);
        }), cases: 100);
    }

    private static void AssertClaimsNothing(RunReport report)
    {
        Assert.Equal(new ThroughputReport { OverlapSeconds = 0 }, report.Throughput);
        Assert.All(report.Workers, worker => Assert.Equal(new ThroughputReport { OverlapSeconds = 0 }, worker.Throughput));
        Assert.All(
            report.Workers.Select(worker => worker.RequestUnits).Append(report.RequestUnits),
            units => Assert.Equal((null, null), (units.PerSecondMean, units.PerSecondPeak)));
        Assert.Null(report.BoundBy);
        Assert.Null(report.Utilization);
        Assert.Empty(report.Series);
        Assert.All(report.Partitions, partition => Assert.Empty(partition.PerSecond));
        Assert.False(RunFigures.From(report).IsUsable);
        Assert.False(UnmeasuredRuns.IsMeasured(report.State));
        var compared = RunComparison.From(report, report).Rows[0];
        Assert.Equal((null, "the times of run interrupted contradict each other, so it has no rate"), (compared.A, compared.Basis));
        Assert.DoesNotContain("per second", Sentences.Headline(report), StringComparison.Ordinal);
        Assert.All(SampleForms.From(RunForms.Kind, report).Values, Assert.NotEmpty);
    }

    private (RunEnding Ending, RunLegs Legs) Contradict(string what)
    {
        var (ending, legs) = run.Straight();
        var hour = TimeSpan.FromHours(1);
        RunLegs One(int number, Func<LegResult, LegResult> change) =>
            legs with { Results = [.. legs.Results.Select(leg => leg.Output.Worker == 0 && leg.Output.Leg == number ? change(leg) : leg)] };
        RunLegs First(Func<LegResult, LegResult> change) => One(1, change);
        RunLegs Skewed(ClockSkew skew) => First(leg => leg with { Clocks = leg.Clocks! with { Skew = skew } });
        RunLegs Dispatched(int number, Func<LegResult, DateTimeOffset> at) =>
            One(number, leg => leg with { Clocks = leg.Clocks! with { DispatchedAt = at(leg) } });
        SecondSample Later(SecondSample sample) => sample with { Second = sample.Second + 60 };
        return what switch
        {
            "shifted" => (ending with { FinishedAt = ending.FinishedAt + hour }, First(leg => InterruptedRun.Shift(leg, hour / 30))),
            "ends before it starts" => (ending, First(leg => leg with { EndedAt = leg.StartedAt.AddSeconds(-1) })),
            "before the run" => (ending, First(leg => InterruptedRun.Shift(leg, -hour))),
            "in the future" => (ending, First(leg => InterruptedRun.Shift(leg, hour))),
            "overlap" => (ending, One(2, leg => leg with { StartedAt = ending.StartedAt })),
            "samples elsewhere" => (ending, First(leg => leg with { Seconds = [.. leg.Seconds.Select(Later)] })),
            "too long" => (ending with { FinishedAt = ending.FinishedAt + hour }, First(leg => leg with { EndedAt = leg.EndedAt + hour })),
            "other stopwatch" => (ending, First(leg => leg with { EndedAt = leg.EndedAt.AddSeconds(-1) })),
            "before it was asked for" => (ending, Dispatched(1, leg => leg.Clocks!.ReceivedAt.AddSeconds(9))),
            "after its result was known" => (ending, Dispatched(2, _ => ending.StartedAt.AddSeconds(-9))),
            "clock ahead" => (ending, Skewed(new ClockSkew(6_000, 6_500))),
            "clock behind" => (ending, Skewed(new ClockSkew(-7_500, -7_000))),
            "other start" => (ending, legs with { Start = legs.Start! with { At = legs.Start.At - hour } }),
            _ => throw new ArgumentOutOfRangeException(nameof(what)),
        };
    }
}
