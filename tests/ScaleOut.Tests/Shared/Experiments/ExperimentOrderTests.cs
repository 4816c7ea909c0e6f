namespace ScaleOut.Tests.Shared.Experiments;

/// <summary>In which order the variants of an experiment's rounds are run.</summary>
public sealed class ExperimentOrderTests
{
    private const int Variants = 6;
    private const int Repeats = 40;

    [Fact]
    public void From_SpecThatWasRead_HasEveryVariantOnceInEachRoundInAnOrderOfItsOwn()
    {
        var rounds = RoundsOf(Read("order"));

        Assert.All(rounds, round => Assert.Equal(Enumerable.Range(0, Variants), round.Order()));
        Assert.True(rounds.Select(round => string.Join(' ', round)).Distinct().Count() > Repeats / 2);
        // Each variant comes first in about 1 of 6 rounds; a fixed order has one of them first in all.
        Assert.All(Enumerable.Range(0, Variants), variant => Assert.InRange(rounds.Count(round => round[0] == variant), 1, Repeats / 2));
    }

    [Fact]
    public void From_SameSpecAgain_HasTheSameOrder() =>
        Assert.Equal(RoundsOf(Read("order")).SelectMany(round => round), RoundsOf(Read("order")).SelectMany(round => round));

    [Fact]
    public void From_OtherIdOrSeed_HasAnotherOrder()
    {
        var order = string.Join(' ', RoundsOf(Read("order")).SelectMany(round => round));
        Assert.NotEqual(order, string.Join(' ', RoundsOf(Read("other")).SelectMany(round => round)));
        Assert.NotEqual(order, string.Join(' ', RoundsOf(Read("order", "\"seed\": 2,")).SelectMany(round => round)));
    }

    [Fact]
    public void From_NotInterleaved_KeepsTheSpecsOrder()
    {
        var runs = new GridPlanner(Read("order", "\"interleaved\": false,")).All;
        Assert.Equal(
            Enumerable.Range(0, Variants).SelectMany(variant => Enumerable.Repeat(variant, Repeats)), runs.Select(run => run.Variant));
    }

    private static List<List<int>> RoundsOf(ExperimentSpec spec) =>
        [.. new GridPlanner(spec).All.Chunk(Variants).Select(round => round.Select(run => run.Variant).ToList())];

    private static ExperimentSpec Read(string id, string fields = "")
    {
        var variants = string.Join(
            ", ",
            Enumerable.Range(1, Variants).Select(n => $$"""{"name": "v{{n}}", "change": {"client": {"concurrency": {{n}}} } }"""));
        var reading = ExperimentSpecReader.Read(
            $$"""{"id": "{{id}}", {{fields}} "repeats": {{Repeats}}, "variants": [{{variants}}] }""");
        Assert.Empty(reading.Errors);
        return reading.Value!;
    }
}
