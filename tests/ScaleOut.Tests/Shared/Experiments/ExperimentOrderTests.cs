namespace ScaleOut.Tests.Shared.Experiments;

public sealed class ExperimentOrderTests
{
    private const int Variants = 6;
    private const int Repeats = 40;

    [Fact]
    public void From_SpecThatWasRead_HasEveryVariantOnceInEachRoundInAnOrderOfItsOwn()
    {
        var rounds = new GridPlanner(Read("order")).All.Chunk(Variants).Select(round => round.Select(run => run.Variant).ToList()).ToList();
        Assert.All(rounds, round => Assert.Equal(Enumerable.Range(0, Variants), round.Order()));
        Assert.True(rounds.Select(round => string.Join(' ', round)).Distinct().Count() > Repeats / 2);
        // Each variant comes first in about 1 of 6 rounds; a fixed order has one of them first in all.
        Assert.All(Enumerable.Range(0, Variants), variant => Assert.InRange(rounds.Count(round => round[0] == variant), 1, Repeats / 2));
    }

    [Theory]
    [InlineData("order", "", true)]
    [InlineData("other", "", false)]
    [InlineData("order", "\"seed\": 2,", false)]
    public void From_IdAndSeed_DecideTheOrder(string id, string fields, bool same) => Assert.Equal(
        same,
        new GridPlanner(Read("order")).All.Select(run => run.Variant)
            .SequenceEqual(new GridPlanner(Read(id, fields)).All.Select(run => run.Variant)));

    [Fact]
    public void From_NotInterleaved_KeepsTheSpecsOrder()
    {
        var runs = new GridPlanner(Read("order", "\"interleaved\": false,")).All;
        Assert.Equal(
            Enumerable.Range(0, Variants).SelectMany(variant => Enumerable.Repeat(variant, Repeats)), runs.Select(run => run.Variant));
    }

    private static ExperimentSpec Read(string id, string fields = "")
    {
        var variants = string.Join(
            ", ",
            Enumerable.Range(1, Variants).Select(n => $$"""{"name": "v{{n}}", "change": {"client": {"concurrency": {{n}}} } }"""));
        var reading = ExperimentSpecReader.Read($$"""{"id": "{{id}}", {{fields}} "repeats": {{Repeats}}, "variants": [{{variants}}] }""");
        Assert.Empty(reading.Errors);
        return reading.Value!;
    }
}
