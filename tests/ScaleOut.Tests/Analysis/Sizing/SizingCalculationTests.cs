using FsCheck;
using FsCheck.Fluent;
using ScaleOut.Analysis.Costs;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Sizing;
using ScaleOut.Analysis.Statistics;

namespace ScaleOut.Tests.Analysis.Sizing;

public sealed class SizingCalculationTests
{
    /// <summary>8 workers that put 4,000 documents of 200 bytes and 5 RU a second.</summary>
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

    private static readonly PriceList Prices = new() { Currency = "EUR", RequestUnitPerSecondHour = 0.0001, GigabyteSecond = 0.00002, InstanceGigabytes = 1, Source = "a made-up list" };

    private static SizingBasis WithLaw(double alpha, double beta) => Measured with
    {
        Scalability = ScalabilityFit.Of(new[] { 1, 2, 3, 4, 6, 8 }.Select(n => new ScalabilityPoint(n, new ScalabilityLaw(alpha, beta, 1_000).RateAt(n)))),
    };

    [Fact]
    public void Of_KnownMeasurements_GivesTheKnownAnswer()
    {
        var answer = SizingCalculation.Of(new() { InsertsPerSecond = 50_000, Documents = 1_000_000_000_000, Prices = Prices }, Measured);
        Assert.Equal(250_000, answer.RequestUnitsUsedPerSecond, 6);
        Assert.Equal(277_800, answer.RequestUnitsPerSecond);
        Assert.Equal(4_000, answer.PhysicalPartitionsForStorage);
        Assert.Equal(4_000, answer.PhysicalPartitions);
        Assert.Equal(new WorkerNeed { Estimate = 100, Low = 84, High = 125, HasInterval = true }, answer.Workers);
        Assert.Equal(180_000_000, answer.DocumentsPerHour, 3);
        Assert.Equal(36, answer.GigabytesPerHour, 9);
        Assert.Equal(27.78, answer.Cost!.RequestUnitsPerHour, 9);
        Assert.Equal(7.2, answer.Cost.InstancesPerHour!.Value, 9);
        Assert.Equal(34.98, answer.Cost.PerHour!.Value, 9);
        Assert.Equal(34.98 / 180, answer.Cost.PerMillion!.Value, 9);
        Assert.Null(answer.StopsHelpingAt);
    }

    [Fact]
    public void Of_KnownMeasurements_SaysWhatAPersonWould()
    {
        var answer = SizingCalculation.Of(new() { InsertsPerSecond = 50_000, Prices = Prices }, Measured);
        Assert.Equal(
        [
            "For 50,000 inserts a second: 277,800 RU/s (5 RU each, 10% kept spare), 28 physical partitions, 100 worker instances (84 to 125 at 95%), 180,000,000 documents an hour; measured on the simulated account.",
            "An hour adds 36 GB without the index; the 28 physical partitions of 50 GB would be full after 38.9 hours.",
            "Cost: 35 EUR an hour (27.8 for RU/s, 7.2 for instances), 0.194 EUR a million inserts, by a made-up list.",
        ], answer.Sentences);
        Assert.Equal(
        [
            "The rate is 12.5 times the highest that was measured, 4,000 a second.",
            "100 workers are more than the 8 that were measured, and without a scalability law each is taken to add as much as those did.",
        ], answer.Extrapolations);
    }

    [Fact]
    public void Of_RateWithinWhatWasMeasured_ExtrapolatesNothing()
    {
        var answer = SizingCalculation.Of(new() { InsertsPerSecond = 2_000, Headroom = 0 }, Measured);
        Assert.Empty(answer.Extrapolations);
        Assert.Equal((10_000, 1, 4), (answer.RequestUnitsPerSecond, answer.PhysicalPartitions, answer.Workers.Estimate));
    }

    [Fact]
    public void Of_SmallRate_HasTheServicesLeastThroughput() =>
        Assert.Equal(400, SizingCalculation.Of(new() { InsertsPerSecond = 0.5 }, Measured).RequestUnitsPerSecond);

    [Fact]
    public void Of_Law_GivesItsWorkersAndItsEnd()
    {
        // alpha = beta = 0.02: the peak is 7 workers with 7,000 / 1.96.
        var basis = WithLaw(0.02, 0.02);
        var answer = SizingCalculation.Of(new() { InsertsPerSecond = 3_000 }, basis);
        Assert.Equal(7, answer.StopsHelpingAt!.Value, 6);
        Assert.Equal(7_000 / 1.96, answer.HighestRate!.Value, 6);
        // X(3) = 3,000 / 1.16 and X(4) = 4,000 / 1.3.
        Assert.Equal(4, answer.Workers.Estimate);
        Assert.Contains("By the scalability law more than 7 workers stop helping (7 to 7 at 95%); the most that any number reaches is 3,571 a second.", answer.Sentences);

        var beyond = SizingCalculation.Of(new() { InsertsPerSecond = 4_000, Prices = Prices }, basis);
        Assert.Null(beyond.Workers.Estimate);
        Assert.Equal("by the scalability law no number of workers reaches the rate", beyond.Workers.Reason);
        Assert.Null(beyond.Cost!.PerHour);
        Assert.True(beyond.Cost.RequestUnitsPerHour > 0);
        Assert.Contains(beyond.Sentences, sentence => sentence.StartsWith("Cost: 2.23 EUR an hour for RU/s; no number of instances", StringComparison.Ordinal));
    }

    [Fact]
    public void Of_LawBeyondItsWorkers_SaysThatItIsCarriedOn()
    {
        var answer = SizingCalculation.Of(new() { InsertsPerSecond = 12_000 }, WithLaw(0.01, 0));
        Assert.Contains("14 workers are more than the 8 that were measured; the law is carried on beyond them.", answer.Extrapolations);
        Assert.Contains("By the scalability law every worker adds, but no number of them exceeds 100,000 a second.", answer.Sentences);
    }

    [Theory]
    [InlineData(BoundBy.RequestUnits, "request units bound the runs")]
    [InlineData(BoundBy.Machine, "the shared machine bound the runs")]
    [InlineData(BoundBy.Rate, "the runs kept the rate that they were asked for")]
    public void Of_WorkersThatCouldDoMore_SaysSo(BoundBy boundBy, string because)
    {
        var answer = SizingCalculation.Of(new() { InsertsPerSecond = 100 }, Measured with { BoundBy = boundBy });
        Assert.Contains($"The workers could have done more, because {because}: so many workers are enough, and fewer may be.", answer.Notes);
    }

    [Fact]
    public void Of_NoInterval_SaysWhy()
    {
        var answer = SizingCalculation.Of(new() { InsertsPerSecond = 10_000 }, Measured with { RatePerWorker95 = null });
        Assert.Equal(new WorkerNeed { Estimate = 20, HasInterval = false, Reason = "nothing says how much the rate of one worker varies" }, answer.Workers);
    }

    [Fact]
    public void Of_GrowingRate_NeverNeedsLess() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, int.MaxValue).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            var basis = random.Next(2) == 0 ? Measured : WithLaw(random.NextDouble() * 0.1, random.Next(2) * random.NextDouble() * 0.01);
            var (low, high) = (Math.Exp(random.NextDouble() * 14), Math.Exp(random.NextDouble() * 14));
            (low, high) = (Math.Min(low, high), Math.Max(low, high));
            var (less, more) = (SizingCalculation.Of(new() { InsertsPerSecond = low, Prices = Prices }, basis), SizingCalculation.Of(new() { InsertsPerSecond = high, Prices = Prices }, basis));

            Assert.True(less.RequestUnitsPerSecond <= more.RequestUnitsPerSecond);
            Assert.True(less.PhysicalPartitions <= more.PhysicalPartitions);
            Assert.True((less.Workers.Estimate ?? int.MaxValue) <= (more.Workers.Estimate ?? int.MaxValue));
            Assert.True((less.Workers.High ?? int.MaxValue) <= (more.Workers.High ?? int.MaxValue));
            Assert.True(less.Cost!.RequestUnitsPerHour <= more.Cost!.RequestUnitsPerHour);
            foreach (var answer in new[] { less, more })
            {
                Assert.True(answer.RequestUnitsPerSecond * (1 - answer.Request.Headroom) >= answer.RequestUnitsUsedPerSecond * (1 - 1e-9));
                Assert.True(answer.RequestUnitsPerSecond % 100 == 0);
                Assert.True(answer.PhysicalPartitions * 10_000 >= answer.RequestUnitsPerSecond);
                Assert.True(answer.Workers.Estimate is null || (answer.Workers.Low <= answer.Workers.Estimate && answer.Workers.Estimate <= (answer.Workers.High ?? int.MaxValue)));
            }
        }));

    [Fact]
    public void Of_FaultyRequest_NamesEveryFault()
    {
        var request = new SizingRequest { InsertsPerSecond = 0, Documents = 0, Headroom = 1, Prices = Prices with { GigabyteSecond = double.NaN } };
        Assert.Equal(["insertsPerSecond", "documents", "headroom", "prices.gigabyteSecond"], SizingRules.Check(request).Select(fault => fault.Path));
        Assert.Throws<ArgumentException>(() => SizingCalculation.Of(request, Measured));
    }
}
