using static ScaleOut.Tests.Support.Runs.BuiltReports;

namespace ScaleOut.Tests.Analysis.Reports.Building;

/// <summary>Legs that find what a lost leg has done measure requests that find documents, and not the work of the run.</summary>
public sealed class MergedRunTests
{
    private static readonly RunEnding Ended = Ending(verified: 200);

    /// <summary>The machine is busy and its latencies are those of conflicts: none of it says anything about inserts.</summary>
    [Fact]
    public void Build_EveryLegFoundItsDocuments_ClaimsNothingOfInserts()
    {
        var report = Build(Ended, Found(0, found: 100), Found(1, found: 100));

        Assert.Equal((RunState.Complete, null), (report.State, report.BoundBy));
        Assert.True(report.Throughput is { Rate: null, OverlapPerSecond: null, MakespanPerSecond: null, MakespanSeconds: 10 });
        Assert.True(report.RequestUnits is { PerInsert: null, PerOperation: null, Total: 200 });
        Assert.Null(report.LatencyMs.Operation.P99);
        Assert.All(report.Workers, worker => Assert.Null(worker.Throughput.Rate));
        Assert.Equal("rate, latencies and RU per insert", Assert.Single(report.Invalid).What);
        Assert.Contains("200 documents of the run's own container were there already", report.Invalid[0].Why, StringComparison.Ordinal);
        Assert.Equal("all 200 documents written by 2 workers, of which 200 were found done", Sentences.Headline(report));
        Assert.Null(Sentences.Bound(report));
        Assert.False(RunFigures.From(report).IsUsable);
        Assert.NotNull(RunFigures.From(report).WhyLeftOut);
    }

    /// <summary>A container that is not the run's own may hold documents: a run that finds them measures what it was asked for.</summary>
    [Fact]
    public void Build_ContainerOfSomebody_IsMeasuredAsItIs()
    {
        var ending = Ended with { Container = Ended.Container! with { Created = false } };
        var report = Build(ending, Found(0, found: 100), Found(1, found: 100));
        Assert.Equal("rate and share of 429s", Assert.Single(report.Invalid).What);
        Assert.Equal(BoundBy.Machine, report.BoundBy);
        Assert.NotNull(report.LatencyMs.Operation.P99);
    }

    /// <summary>Two legs of a worker: the first repeats a lost one, the second inserts 80 documents of 5 RU in 10 ms each.</summary>
    [Fact]
    public void Build_OneLegFoundItsDocuments_TakesFiguresOfTheOthers()
    {
        var inserting = Legs.Leg(0, leg: 2, from: 10, to: 20, inserted: 80)
            .Charged(400).With(counts => counts with { Attempts = 80 }) with
        {
            Seconds = Legs.Seconds(10, 10, inserted: 8, requestUnits: 40),
            OperationLatency = Histogram((80, 10)),
        };
        var report = RunReportBuilder.Build(EndingOfOne(verified: 100), new RunLegs([Found(0, found: 20), inserting], LostLegs: 1));

        Assert.Equal("rate and share of 429s", Assert.Single(report.Invalid).What);
        Assert.NotNull(report.BoundBy);
        Assert.Equal(5, report.RequestUnits.PerInsert);
        Assert.InRange(report.LatencyMs.Operation.Mean!.Value, 9.9, 10.1);
        AssertText.AnyHas(report.Warnings, "are over the 1 of 2 legs that did not mostly find");
    }

    /// <summary>Such a run cannot show whether its condition holds, over HTTP as on the console.</summary>
    [Fact]
    public async Task Save_EveryLegFoundItsDocuments_ConditionIsNotDecided()
    {
        var store = new MemoryRunStore();
        var files = new RunFiles(store, Spec.Id!);
        await files.CreateFailIfIfAbsentAsync("latencyMs.operation.p99>1000", TestContext.Current.CancellationToken);
        await files.CreateResultIfAbsentAsync(Found(0, found: 100), TestContext.Current.CancellationToken);

        var (outcome, report) = await ReportSaver.SaveAsync(store, EndingOfOne(verified: 100), TestContext.Current.CancellationToken);

        Assert.True(report!.MeasuredNothing);
        Assert.Null(outcome.FailIfHolds);
    }

    private static LegResult Found(int worker, long found) => Legs.Leg(worker, to: 10, alreadyPresent: found)
        .Charged(found).With(counts => counts with { Attempts = found }) with
    {
        Seconds = Legs.Seconds(0, 10, requestUnits: found / 10.0, machine: 0.99),
        OperationLatency = Histogram(((int)found, 50)),
    };
}
