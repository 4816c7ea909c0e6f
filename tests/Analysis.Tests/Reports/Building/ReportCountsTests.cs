using static ScaleOut.Tests.Support.Runs.BuiltReports;

namespace ScaleOut.Tests.Analysis.Reports.Building;

public sealed class ReportCountsTests
{
    [Fact]
    public void Build_SizesThrottlingAndQuantiles_AreThoseOfAllLegs()
    {
        var sample = new RunSample { Spec = new() { Id = "sample", Documents = 100, Workers = 2 }, Seconds = 10 };
        var runLegs = sample.AllLegs();
        var legs = runLegs.Results.Select((leg, worker) =>
            leg.With(counts => counts with { Bytes = counts.Inserted * 1_000 * (worker + 1) }) with
            {
                AttemptLatency = Histogram((45, 10), (5, 900)),
                ThrottledResponses = new ThrottledSample(30 + worker, 150 + worker, Histogram((4, 20))),
            });
        var report = RunReportBuilder.Build(sample.Ending(), runLegs with { Results = [.. legs] });

        Assert.Equal(1_500, report.DocumentBytes);
        Assert.Equal((30, 151), (report.ThrottledResponses!.RetryAfterMinMs, report.ThrottledResponses.RetryAfterMaxMs));
        Assert.InRange(report.ThrottledResponses.LatencyMs.P50!.Value, 19.8, 20.2);
        // Five of 100 attempts are beyond 5% and 95%. Fewer are beyond the quantiles nearer to the ends, so those are left out.
        Assert.Equal([0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95], report.LatencyMs.AttemptQuantiles.Select(one => one.Probability));
        Assert.InRange(report.LatencyMs.AttemptQuantiles[3].Ms, 9.9, 10.1);
        Assert.All(report.Workers, worker => Assert.Empty(worker.LatencyMs.AttemptQuantiles));
        var plain = sample.Build();
        Assert.Null(plain.ThrottledResponses);
        Assert.Null(plain.DocumentBytes);
    }

    /// <summary>Two legs have 100 and 300 ms of operations, and wait for 20 and 220 ms of them: 240 of 400 ms.</summary>
    [Fact]
    public void Requests_WaitsOfSeveralLegs_AreAShareOfTheTimeOfAllOperations()
    {
        var leg = new RunSample { Spec = new() { Id = "sample", Documents = 100, Workers = 1 }, Seconds = 10 }.AllLegs().Results[0];
        var first = leg with { OperationLatency = Histogram((2, 50)), ThrottledWaitMs = 20 };
        var second = leg with { OperationLatency = Histogram((3, 100)), ThrottledWaitMs = 220 };
        Assert.Equal(0.6, ReportCounts.Requests([first, second]).ThrottledWaitShare);
        Assert.Null(ReportCounts.Requests([first, second with { ThrottledWaitMs = null }]).ThrottledWaitShare);
        Assert.Null(ReportCounts.Requests([]).ThrottledWaitShare);
    }

    /// <summary>Seven documents and four are written, and three are deleted.</summary>
    [Fact]
    public void Documents_Actions_RiseByWhatTheirStepsWroteLessWhatTheyDeleted()
    {
        static PartSample Step(int step, long inserted, long found = 0) => new()
        {
            Part = step, Counts = new() { Inserted = inserted, AlreadyPresent = found }, OperationLatency = new(),
        };
        var workload = new WorkloadSpec
        {
            Action = [WorkloadKind.Insert, WorkloadKind.Query, WorkloadKind.Delete, WorkloadKind.Upsert],
        };

        var leg = Legs.Leg(inserted: 4, failed: 3) with { Kinds = [Step(0, 5, found: 2), Step(1, 7), Step(2, 3), Step(3, 4)] };
        var documents = ReportCounts.Documents(workload, asked: 8, [leg]);

        Assert.Equal((8, 4, 3, 1), (documents.Rise, documents.Inserted, documents.Failed, documents.Remaining));
    }

    /// <summary>The second leg did what the first one had left again. Nobody did what the second one left.</summary>
    [Fact]
    public void Documents_ActionsThatWereCut_RiseByWhatTheLastLegOfEachWorkerLeft()
    {
        var step = new PartSample { Part = 0, Counts = new() { Inserted = 4 }, OperationLatency = new() };
        LegResult Leg(int worker, int ordinal, long left)
        {
            var leg = Legs.Leg(inserted: 4);
            return leg with { Output = leg.Output with { Worker = worker, Leg = ordinal }, Kinds = [step], UnfinishedRise = left };
        }

        var documents = ReportCounts.Documents(
            new WorkloadSpec { Action = [WorkloadKind.Insert, WorkloadKind.Read] }, asked: 100,
            [Leg(0, 2, left: 3), Leg(0, 1, left: 20), Leg(1, 1, left: 5)]);

        Assert.Equal((3 * 4) + 3 + 5, documents.Rise);
    }
}
