using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.EndToEnd.Reporting;

public sealed class CountsIdentityTests
{
    [Fact]
    public void Build_AnyLegs_BalancesTheCountsOfRunAndWorkers() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, 5_000).ToArbitrary(), Gen.Choose(1, 12).ToArbitrary(), Gen.Choose(0, int.MaxValue).ToArbitrary(),
        (documents, workers, seed) =>
        {
            var random = new Random(seed);
            var sample = new RunSample { Spec = new() { Id = "test", Documents = documents, Workers = Math.Min(documents, workers) } };
            var legs = Slices.Cut(documents, sample.Spec.Workers, 1).SelectMany((slice, worker) => LegsOf(worker, slice, random)).ToList();
            var ending = sample.Ending() with { StartedAt = Legs.Zero, FinishedAt = Legs.Zero.AddMinutes(1) };
            var report = RunReportBuilder.Build(ending, new RunLegs(legs, 0));

            return Balanced(report.Documents)
                && report.Documents.Asked == documents
                && report.Workers.Count == sample.Spec.Workers
                && report.Workers.All(worker => Balanced(worker.Documents))
                && report.Workers.Sum(worker => worker.Documents.Asked) == documents
                && report.Workers.Sum(worker => worker.Documents.Inserted) == report.Documents.Inserted
                && report.Workers.Sum(worker => worker.Documents.Remaining) == report.Documents.Remaining
                && report.Series.Sum(point => point.Counts.Inserted) == report.Documents.Inserted
                && report.Requests.Attempts == legs.Sum(leg => leg.Counts.Attempts);
        }), cases: 60);

    private static bool Balanced(ReportedDocuments counts) =>
        counts is { Inserted: >= 0, AlreadyPresent: >= 0, Failed: >= 0, Remaining: >= 0 }
        && counts.Inserted + counts.AlreadyPresent + counts.Failed + counts.Remaining == counts.Asked;

    /// <summary>None to four legs that do a part of the slice. Each document is inserted, already present or failed.</summary>
    private static IEnumerable<LegResult> LegsOf(int worker, NumberRange slice, Random random)
    {
        var left = slice.Count;
        var legs = random.Next(5);
        for (var leg = 1; leg <= legs; leg++)
        {
            var inserted = random.NextInt64(left + 1);
            var present = random.NextInt64(left - inserted + 1);
            var failed = random.NextInt64(left - inserted - present + 1);
            left -= inserted + present + failed;
            var result = Legs.Leg(worker, leg, from: leg * 10, to: (leg * 10) + 9, inserted, present, failed, LegEnd.TimeUp)
                .With(counts => counts with { Attempts = random.Next(100) });
            yield return result with { Seconds = [new() { Second = 1_000 + (leg * 10), Counts = result.Counts }] };
        }
    }
}
