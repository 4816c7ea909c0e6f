using ScaleOut.Analysis.Experiments.Tables;

namespace ScaleOut.Tests.EndToEnd.SpecFiles;

/// <summary>What the specs of the repository say was published.</summary>
public sealed class PublishedRowsTests
{
    /// <summary>Rates are published to two and more digits, times to one and more.</summary>
    private const double Rounding = 0.05;

    [Theory]
    [InlineData("insert-1m.json", "test 16", "test 17")]
    [InlineData("ru-ladder.json")]
    public void RatesAndTimes_OfOneRow_ContradictEachOtherOnlyWhereTheSpecSaysSo(string file, params string[] rows)
    {
        var spec = PublishedPlansTests.Read(file);
        var found = spec.Variants.Where((variant, i) =>
            variant.Published is { PerSecond: { } rate, Seconds: { } seconds }
                && Math.Abs((rate * seconds / GridPlanner.PlanOf(spec, i).Documents) - 1) > Rounding).Select(variant => variant.Name);
        Assert.Equal(rows, found);
        Assert.Equal(
            rows.Length > 0, spec.Notes.Any(note => note.Contains("contradicts itself in tests 16 and 17", StringComparison.Ordinal)));
    }

    /// <summary>4 to 5 batches of 100 rows a second are 400 to 500 rows of about 1,725 bytes, 690 to 860 KB.</summary>
    [Theory]
    [InlineData(WorkloadKind.Batch)]
    [InlineData(WorkloadKind.TableBatch)]
    public void Flights_BatchesAndKilobytes_AreComparedWithTheMeasuredOnes(WorkloadKind kind)
    {
        var published = PublishedPlansTests.Read("flights-batches.json").Variants[0].Published!;
        Assert.Equal((4.5, 860, 283), (published.BatchesPerSecond, published.KilobytesPerSecond, published.LatencyP96Ms));

        var report = MeasuredExperiment.From([("one", 1, [200, 200], null)]);
        var variant = report.Variants[0] with
        {
            Published = published,
            Plan = new RunSpec { Document = new() { Kind = DocumentKind.Flights }, Workload = new() { Kind = kind, BatchSize = 50 } },
        };
        report = report with { Variants = [variant], Published = new() { Compared = 0 } };
        var table = PublishedTables.From(report).Single(table => table.Title == "Other published figures");

        var row = table.Columns.Zip(table.Rows[0]).ToDictionary(cell => cell.First.Title, cell => cell.Second);
        Assert.Equal(("4.5", "4"), (row["Published batches per second"], row["Measured batches per second"]));
        var kilobytes = 200 * DocumentShape.From(variant.Plan.Document).Bytes / 1000.0;
        Assert.Equal(("860", kilobytes.ToString("0")), (row["Published KB per second"], row["Measured KB per second"]));
        Assert.Equal(published, ExperimentForms.Kind.Read(ExperimentForms.Kind.Write(report)).Variants[0].Published);
    }
}
