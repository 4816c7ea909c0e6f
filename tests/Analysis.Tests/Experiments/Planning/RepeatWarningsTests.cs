namespace ScaleOut.Tests.Analysis.Experiments.Planning;

public sealed class RepeatWarningsTests
{
    private const string ThreeAreFew =
        "repeats: 3 show that rates are the same within a factor of 1.0526 only where the repeats of a variant differ by less than 2.9% "
            + "(one standard deviation); 4 would do at 3.5%. The claim of indexingMode, same.";

    private static readonly FindingSpec Indexing = new() { Kind = FindingKind.IndexingMode, Variants = ["a", "b"] };

    private static readonly FindingSpec Named = new() { Id = "same", Kind = FindingKind.MaxConnections, Variants = ["a", "b"] };

    [Theory]
    [InlineData(2, true)]
    [InlineData(3, true)]
    [InlineData(4, false)]
    [InlineData(20, false)]
    public void From_ClaimOfSameness_WarnsOfFewRepeats(int repeats, bool warns) =>
        Assert.Equal(warns, RepeatWarnings.From(Spec(repeats, Indexing)).Any());

    [Fact]
    public void From_ThreeRepeats_SaysWhatTheyDecideAndHowManyWouldDo() =>
        Assert.Equal([ThreeAreFew], RepeatWarnings.From(Spec(3, Indexing, Named, Gain())));

    [Theory]
    [InlineData(1.2, false)]
    [InlineData(1.02, true)]
    public void From_FactorOfTheClaim_DecidesHowManyAreEnough(double factor, bool warns) =>
        Assert.Equal(warns, RepeatWarnings.From(Spec(2, Indexing with { Threshold = factor })).Any());

    [Fact]
    public void From_FactorThatNoNumberOfRepeatsShows_SaysSo() => AssertText.Has(
        Assert.Single(RepeatWarnings.From(Spec(5, Indexing with { Threshold = 1.0001 }))), "no usual number would do at 3.5%");

    [Fact]
    public void From_SingleRepeat_WarnsOfAnyFinding()
    {
        Assert.Equal(
            ["repeats: a single run of a variant has no interval, so that findings which need one stay undecided."],
            RepeatWarnings.From(Spec(1, Gain())));
        Assert.Empty(RepeatWarnings.From(Spec(1)));
    }

    /// <summary>Two repeats show a gain that is large enough.</summary>
    [Fact]
    public void From_ClaimOfAGain_DoesNotWarn() => Assert.Empty(RepeatWarnings.From(Spec(2, Gain())));

    private static FindingSpec Gain() => new() { Kind = FindingKind.Faster, Variants = ["a", "b"], Threshold = 1.1 };

    private static ExperimentSpec Spec(int repeats, params FindingSpec[] findings) => new() { Repeats = repeats, Findings = findings };
}
