using FsCheck;
using FsCheck.Fluent;
using ScaleOut.Analysis.Costs;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Sizing;
using ScaleOut.Analysis.Statistics;

namespace ScaleOut.Tests.Analysis.Sizing;

public sealed class SizingCalculationTests
{
    /// <summary>8 workers that write 4,000 documents of 200 bytes and 5 RU a second.</summary>
    private static readonly SizingBasis Measured = new()
    {
        Source = "run known",
        Simulated = true,
        RequestUnitsPerInsert = 5,
        DocumentBytes = 200,
        MostWorkers = 8,
        HighestRate = 4_000,
        RatePerWorker = 500,
        RatePerWorker95 = new(400, 600),
        BoundBy = BoundBy.Latency,
    };

    private static readonly PriceList Prices = new()
    {
        Currency = "EUR",
        RequestUnitPerSecondHour = 0.0001,
        GigabyteSecond = 0.00002,
        InstanceGigabytes = 1,
        Source = "a made-up list",
    };

    private static SizingBasis WithLaw(double alpha, double beta) => Measured with
    {
        Scalability = ScalabilityFit.From(
            new[] { 1, 2, 3, 4, 6, 8 }.Select(n => new ScalabilityPoint(n, new ScalabilityLaw(alpha, beta, 1_000).RateAt(n)))),
    };

    [Fact]
    public void From_KnownMeasurements_GivesTheKnownResult()
    {
        var result = SizingCalculation.From(new() { InsertsPerSecond = 50_000, Documents = 1_000_000_000_000, Prices = Prices }, Measured);
        Assert.Equal(250_000, result.RequestUnitsUsedPerSecond, 6);
        Assert.Equal(277_800, result.RequestUnitsPerSecond);
        Assert.Equal(4_000, result.PhysicalPartitionsForStorage);
        Assert.Equal(4_000, result.PhysicalPartitions);
        Assert.Equal(
            new WorkerNeed { HasInterval = false, Reason = "not measured: at most 8 workers were, and they wrote 4,000 a second" },
            result.Workers);
        Assert.Equal(180_000_000, result.DocumentsPerHour, 3);
        Assert.Equal(36, result.GigabytesPerHour, 9);
        Assert.Equal(27.78, result.Cost!.RequestUnitsPerHour, 9);
        Assert.Equal((null, null, null), (result.Cost.InstancesPerHour, result.Cost.PerHour, result.Cost.PerMillion));
        Assert.Null(result.StopsHelpingAt);
    }

    [Fact]
    public void From_RateBeyondWhatWasMeasured_BeginsWithThatAndSaysNothingOfWorkers()
    {
        var result = SizingCalculation.From(new() { InsertsPerSecond = 50_000, Prices = Prices }, Measured);
        Assert.Equal(
        [
            "Not measured: at most 8 workers were, and they wrote 4,000 documents a second; nothing is said of the workers that 50,000 "
                + "take, 12.5 times as many.",
            "For 50,000 inserts a second: 277,800 RU/s (5 RU each, 10% kept spare), 28 physical partitions, 180,000,000 documents an hour; "
                + "measured on the simulated account.",
            "An hour adds 36 GB without the index; the 28 physical partitions of 50 GB would be full after 38.9 hours.",
            "Cost: 27.8 EUR an hour for RU/s, that of the workers is not known, by a made-up list.",
        ], result.Sentences);
        Assert.Equal(["The rate is 12.5 times the highest that was measured, 4,000 a second."], result.Extrapolations);
    }

    [Fact]
    public void From_RateWithinWhatWasMeasured_SaysWhatAPersonWould()
    {
        var result = SizingCalculation.From(new() { InsertsPerSecond = 3_600, Prices = Prices }, Measured);
        Assert.Equal(
        [
            "For 3,600 inserts a second: 20,000 RU/s (5 RU each, 10% kept spare), 2 physical partitions, 8 worker instances (6 and more at "
                + "95%), 12,960,000 documents an hour; measured on the simulated account.",
            "An hour adds 2.59 GB without the index; the 2 physical partitions of 50 GB would be full after 38.6 hours.",
            "Cost: 2.58 EUR an hour (2 for RU/s, 0.576 for instances), 0.199 EUR a million inserts, by a made-up list.",
        ], result.Sentences);
    }

    [Fact]
    public void From_RateWithinWhatWasMeasured_ExtrapolatesNothing()
    {
        var result = SizingCalculation.From(new() { InsertsPerSecond = 2_000, Headroom = 0 }, Measured);
        Assert.Empty(result.Extrapolations);
        Assert.Equal((10_000, 1, 4), (result.RequestUnitsPerSecond, result.PhysicalPartitions, result.Workers.Estimate));
    }

    [Fact]
    public void From_SmallRate_HasTheServicesLeastThroughput() =>
        Assert.Equal(400, SizingCalculation.From(new() { InsertsPerSecond = 0.5 }, Measured).RequestUnitsPerSecond);

    [Fact]
    public void From_Law_GivesItsWorkersAndItsEnd()
    {
        // alpha = beta = 0.02: the peak is 7 workers with 7,000 / 1.96.
        var basis = WithLaw(0.02, 0.02);
        var result = SizingCalculation.From(new() { InsertsPerSecond = 3_000 }, basis);
        Assert.Equal(7, result.StopsHelpingAt!.Value, 6);
        Assert.Equal(7_000 / 1.96, result.HighestRate!.Value, 6);
        // X(3) = 3,000 / 1.16 and X(4) = 4,000 / 1.3.
        Assert.Equal(4, result.Workers.Estimate);
        Assert.Contains(
            "By the scalability law more than 7 workers stop helping (7 to 7 at 95%); the most that any number reaches is 3,571 a second.",
            result.Sentences);

        // Up to the peak the law was measured, so that is said; beyond it nobody has been.
        var beyond = SizingCalculation.From(new() { InsertsPerSecond = 4_000, Prices = Prices }, basis);
        Assert.Null(beyond.Workers.Estimate);
        Assert.Equal("by the scalability law no number of workers reaches the rate", beyond.Workers.Reason);
        Assert.Null(beyond.Cost!.PerHour);
        Assert.True(beyond.Cost.RequestUnitsPerHour > 0);
        Assert.Contains(
            beyond.Sentences,
            sentence => sentence.StartsWith("Cost: 2.23 EUR an hour for RU/s, that of the workers", StringComparison.Ordinal));
    }

    [Fact]
    public void From_LawBeyondItsWorkers_SaysNothing()
    {
        var result = SizingCalculation.From(new() { InsertsPerSecond = 12_000 }, WithLaw(0.01, 0.0005));
        Assert.Null(result.Workers.Estimate);
        Assert.StartsWith("not measured: at most 8 workers were", result.Workers.Reason, StringComparison.Ordinal);
        // Its peak of 44 workers is nothing that anybody saw.
        Assert.Equal((null, null, null), (result.StopsHelpingAt, result.StopsHelpingAt95, result.HighestRate));
        Assert.Contains("By the scalability law every one of the 8 workers added to the rate.", result.Sentences);
    }

    [Theory]
    [InlineData(BoundBy.RequestUnits, "request units bound the runs")]
    [InlineData(BoundBy.Machine, "the shared machine bound the runs")]
    [InlineData(BoundBy.Rate, "the runs kept the rate that they were asked for")]
    public void From_WorkersThatCouldDoMore_SaysSo(BoundBy boundBy, string because)
    {
        var result = SizingCalculation.From(new() { InsertsPerSecond = 100 }, Measured with { BoundBy = boundBy });
        Assert.Contains(
            $"The workers could have done more, because {because}: so many workers are enough, and fewer may be.", result.Notes);
        var beyond = SizingCalculation.From(new() { InsertsPerSecond = 5_000 }, Measured with { BoundBy = boundBy });
        Assert.Equal(
            $"not measured: at most 8 workers were, and they wrote 4,000 a second, where {because}", beyond.Workers.Reason);
    }

    [Fact]
    public void From_NoInterval_SaysWhy()
    {
        var result = SizingCalculation.From(new() { InsertsPerSecond = 2_500 }, Measured with { RatePerWorker95 = null });
        Assert.Equal(
            new WorkerNeed { Estimate = 5, HasInterval = false, Reason = "nothing says how much the rate of one worker varies" },
            result.Workers);
    }

    [Fact]
    public void From_GrowingRate_NeverNeedsLess() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, int.MaxValue).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            var basis = random.Next(2) == 0 ? Measured : WithLaw(random.NextDouble() * 0.1, random.Next(2) * random.NextDouble() * 0.01);
            var (low, high) = (Math.Exp(random.NextDouble() * 14), Math.Exp(random.NextDouble() * 14));
            (low, high) = (Math.Min(low, high), Math.Max(low, high));
            var (less, more) = (
                SizingCalculation.From(new() { InsertsPerSecond = low, Prices = Prices }, basis),
                SizingCalculation.From(new() { InsertsPerSecond = high, Prices = Prices }, basis));

            Assert.True(less.RequestUnitsPerSecond <= more.RequestUnitsPerSecond);
            Assert.True(less.PhysicalPartitions <= more.PhysicalPartitions);
            Assert.True((less.Workers.Estimate ?? int.MaxValue) <= (more.Workers.Estimate ?? int.MaxValue));
            Assert.True((less.Workers.High ?? int.MaxValue) <= (more.Workers.High ?? int.MaxValue));
            Assert.True(less.Cost!.RequestUnitsPerHour <= more.Cost!.RequestUnitsPerHour);
            foreach (var result in new[] { less, more })
            {
                Assert.True(result.RequestUnitsPerSecond * (1 - result.Request.Headroom) >= result.RequestUnitsUsedPerSecond * (1 - 1e-9));
                Assert.True(result.RequestUnitsPerSecond % 100 == 0);
                Assert.True(result.PhysicalPartitions * 10_000 >= result.RequestUnitsPerSecond);
                Assert.True(
                    result.Workers.Estimate is null
                        || (
                            result.Workers.Low <= result.Workers.Estimate
                                && result.Workers.Estimate <= (result.Workers.High ?? int.MaxValue)));
            }
        }));

    [Fact]
    public void From_InvalidRequest_NamesEveryError()
    {
        var request = new SizingRequest
        {
            InsertsPerSecond = 0,
            Documents = 0,
            Headroom = 1,
            Prices = Prices with { GigabyteSecond = double.NaN },
        };
        Assert.Equal(
            ["insertsPerSecond", "documents", "headroom", "prices.gigabyteSecond"], SizingRules.Check(request).Select(error => error.Path));
        Assert.Throws<ArgumentException>(() => SizingCalculation.From(request, Measured));
    }
}
