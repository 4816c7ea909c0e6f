using FsCheck;
using FsCheck.Fluent;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Simulator.Engine.Queries.Expressions;

namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class ScalabilityLawTests
{
    [Fact]
    public void PeakWorkersAndLimit_ByParameters_AreTheLaws()
    {
        var law = new ScalabilityLaw(0.02, 0.02, 1);
        Assert.Equal(7, law.PeakWorkers!.Value, 12);
        Assert.Equal(law.RateAt(7), law.Limit!.Value, 12);
        Assert.Equal((null, 50.0), (new ScalabilityLaw(0.02, 0, 1).PeakWorkers, new ScalabilityLaw(0.02, 0, 1).Limit!.Value));
        Assert.Equal((null, null), (new ScalabilityLaw(0, 0, 5).PeakWorkers, new ScalabilityLaw(0, 0, 5).Limit));
        Assert.Equal((1.0, 5.0), (new ScalabilityLaw(1.5, 0, 5).PeakWorkers!.Value, new ScalabilityLaw(1.5, 0, 5).Limit!.Value));
    }

    [Fact]
    public void WorkersFor_RandomLaws_ReachesTheRateOrSaysThatNothingDoes() => Properties.Holds(Prop.ForAll(
        Gen.Choose(1, int.MaxValue).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            double Parameter(double largest) => random.Next(4) == 0 ? 0 : random.NextDouble() * largest;
            var law = new ScalabilityLaw(Parameter(0.3), Parameter(0.01), 1 + (100 * random.NextDouble()));
            var rate = law.Gamma * (0.1 + (60 * random.NextDouble()));
            if (law.WorkersFor(rate) is { } workers)
            {
                Assert.True(law.RateAt(workers) >= rate * (1 - 1e-9));
                Assert.True(workers == 1 || law.RateAt(workers * 0.99) < rate);
                Assert.True(workers <= (law.PeakWorkers ?? double.PositiveInfinity) * (1 + 1e-9));
            }
            else
            {
                Assert.True(law.Limit * (1 - 1e-9) <= rate);
            }
        }),
        cases: 1_000);
}
