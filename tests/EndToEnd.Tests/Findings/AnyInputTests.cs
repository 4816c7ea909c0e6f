using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.EndToEnd.Findings;

public sealed class AnyInputTests
{
    private static readonly double?[] Odd = [null, 0, -1, double.NaN, double.PositiveInfinity, 1e-12, 1e12, 1, 1, 1];

    [Fact]
    public void Evaluate_AnyVariantsAndFigures_NeverThrowsAndSaysWhatItMust() => Properties.Holds(
        Prop.ForAll(
            Gen.Choose(1, int.MaxValue).ToArbitrary(),
            seed =>
            {
                var random = new Random(seed);
                var kind = Any(random, Enum.GetValues<FindingKind>());
                var variants = Variants(random, kind);
                var spec = new FindingSpec
                {
                    Kind = kind,
                    Variants = [.. variants.Take(random.Next(8) == 0 ? 1 : variants.Count).Select(variant => variant.Name)],
                    Threshold = Any<double?>(random, [null, null, null, 1, 1.2, 0.5, double.NaN]),
                };
                var result = FindingTests.Evaluate(spec, variants);

                Assert.NotEmpty(result.Sentence);
                Assert.EndsWith(".", result.Sentence, StringComparison.Ordinal);
                if (result.Verdict.IsDecided())
                {
                    Assert.Null(result.Reason);
                    Assert.True(result.Effect > 0);
                    Assert.True(
                        result.Interval95 is { } interval
                            && interval.Low <= result.Effect * (1 + 1e-9)
                            && interval.High >= result.Effect * (1 - 1e-9),
                        result.ToString());
                }
                else
                {
                    Assert.NotEmpty(result.Reason!);
                }
            }),
        cases: 2_000);

    private static List<MeasuredVariant> Variants(Random random, FindingKind kind)
    {
        var truths = kind switch
        {
            FindingKind.ConcurrencyPeak => Ladder.OfConcurrency((1, 500), (10, 900), (20, 1_000 + random.Next(200)), (40, 1_000)),
            FindingKind.MoreRequestUnits => Ladder.OfThroughput(random.Next(1_000, 10_000), 10_000, 20_000, 40_000),
            FindingKind.SingleUnitPredictsFleet or FindingKind.ScalabilityLaw =>
                Ladder.OfWorkers(new ScalabilityLaw(random.NextDouble() * 0.1, 0, 100), 1, 2, 3, 4, 6, 8),
            FindingKind.LatencyUnder => [OneVariant.WithP99(random.Next(5, 15))],
            FindingKind.WaitsAfterThrottling => [OneVariant.WithWaits(0.3 + (0.4 * random.NextDouble()))],
            FindingKind.FallsAfterPeak => [OneVariant.WithSteps(20, 30, random.Next(15, 32))],
            _ => Pairs.From(kind, 0.9 + (0.2 * random.NextDouble())),
        };
        var measured = Truth.Measure(truths, random.Next(0, 5), Noise.Within(NoiseRange.Wide, random, truths.Count));
        return [.. measured.Select(variant => random.Next(3) > 0
            ? variant
            : variant.With(figures => random.Next(3) > 0 ? figures : Break(random, figures)))];
    }

    private static RunFigures Break(Random random, RunFigures figures) => figures with
    {
        State = Any(random, Enum.GetValues<RunState>().Append(RunState.Complete).Append(RunState.Complete).ToArray()),
        Rate = Any(random, Odd) is { } factor ? figures.Rate * factor : null,
        MeanLatencyMs = Any(random, Odd),
        P96LatencyMs = Any(random, Odd),
        RequestUnitsPerOperation = Any(random, Odd),
        CallsPerOperation = Any(random, Odd),
        P99LatencyMs = Any(random, Odd),
        ThrottledWaitShare = Any(random, Odd),
        ItemsPerOperation = Any(random, Odd),
        StepRates = [.. Enumerable.Range(0, random.Next(4)).Select(_ => Any(random, Odd))],
        BoundBy = random.Next(4) == 0 ? null : Any(random, Enum.GetValues<BoundBy>()),
        CoresPerWorker = Any<int?>(random, [null, 0, 2, 4]),
        DistinctInstances = random.Next(3),
        MachineShare = Any(random, Odd),
        KeptIndexing = Any<bool?>(random, [null, true, false]),
        Simulated = random.Next(2) == 0,
    };

    private static T Any<T>(Random random, T[] values) => values[random.Next(values.Length)];
}
