using ScaleOut.Analysis.Experiments.Sensitivity;
using ScaleOut.Specs;

namespace ScaleOut.Tests.Analysis.Experiments.Sensitivity;

public sealed class FlipPointTests
{
    private const int Draws = 40;

    private static readonly IReadOnlyList<PhysicsParameter> Parameters = PhysicsParameters.All;

    [Theory]
    [InlineData("latency.gatewayHopMs", 0.8, true)]
    [InlineData("latency.roundTripMs", 2, false)]
    [InlineData("throttling.retryAfterMaxMs", 900, true)]
    public void Find_PlantedThreshold_IsNamedBetweenTheDrawsNextToIt(string name, double threshold, bool above)
    {
        var (values, index) = (Values(seed: 1), IndexOf(name));
        var flip = FlipPoint.Find(Parameters, values, [.. values.Select(draw => draw[index] > threshold == above)], seed: 1);

        Assert.NotNull(flip);
        Assert.Equal((name, above, Draws, Draws), (flip.Parameter, flip.HoldsAbove, flip.Right, flip.Draws));
        Assert.InRange(
            flip.Threshold, values.Select(draw => draw[index]).Where(value => value <= threshold).Max(),
            values.Select(draw => draw[index]).Where(value => value > threshold).Min());
        Assert.Empty(flip.AsGood);
        Assert.InRange(flip.PValue, 0.0001, 0.05);
    }

    [Fact]
    public void Find_PlantedThresholdWithSomeDrawsWrong_IsNamedWithHowManyAreRight()
    {
        var (values, index) = (Values(seed: 2), IndexOf("latency.gatewayHopMs"));
        var holds = values.Select(draw => draw[index] > 1).ToList();
        // The two farthest from the threshold, so that no other threshold is better.
        var order = Enumerable.Range(0, Draws).OrderBy(draw => values[draw][index]).ToList();
        holds[order[1]] = true;
        holds[order[^2]] = false;

        var flip = FlipPoint.Find(Parameters, values, holds, seed: 1);

        Assert.NotNull(flip);
        Assert.Equal(("latency.gatewayHopMs", Draws - 2), (flip.Parameter, flip.Right));
    }

    [Fact]
    public void Find_TheSameInAllDraws_NamesNothing() =>
        Assert.Null(FlipPoint.Find(Parameters, Values(seed: 1), [.. Enumerable.Repeat(true, Draws)], seed: 1));

    [Fact]
    public void Find_NoiseAlone_NamesAParameterInAboutFivePercent()
    {
        const int Trials = 200;
        var named = 0;
        for (var trial = 0; trial < Trials; trial++)
        {
            var random = new Random(1_000 + trial);
            bool[] holds = [.. Enumerable.Range(0, 24).Select(_ => random.Next(2) == 0)];
            named += FlipPoint.Find(Parameters, Values(seed: trial, draws: 24), holds, seed: trial) is null ? 0 : 1;
        }

        // 5% of 200 is 10; 20 and more come by chance in one of 600 sets of trials, and these are always the same.
        Assert.InRange(named, 0, 19);
    }

    [Fact]
    public void Find_TwoParametersAlike_NamesBoth()
    {
        PhysicsParameter[] two = [Parameters[0], Parameters[1]];
        IReadOnlyList<double>[] values = [.. Enumerable.Range(1, 20).Select(i => (IReadOnlyList<double>)[i, i * 2])];

        var flip = FlipPoint.Find(two, values, [.. Enumerable.Range(1, 20).Select(i => i > 10)], seed: 1);

        Assert.NotNull(flip);
        Assert.Equal((two[0].Name, two[1].Name), (flip.Parameter, Assert.Single(flip.AsGood)));
    }

    private static int IndexOf(string name) => Parameters.ToList().FindIndex(parameter => parameter.Name == name);

    private static IReadOnlyList<IReadOnlyList<double>> Values(int seed, int draws = Draws) =>
    [
        .. LatinHypercube.Draw(Parameters.Count, draws, seed)
            .Select(draw => (IReadOnlyList<double>)[.. draw.Select((share, i) => Parameters[i].At(share))]),
    ];
}
