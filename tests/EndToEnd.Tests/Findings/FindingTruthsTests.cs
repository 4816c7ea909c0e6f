namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>
/// A part of <c>bench known-truth findings</c> with fixed seeds: measures how often the verdict is wrong under noise that no interval
/// assumes.
/// </summary>
public sealed class FindingTruthsTests
{
    private const int Experiments = 400;
    private const int Repeats = 5;

    public static TheoryData<string> Truths =>
    [
        "directBeatsGateway: no effect", "directBeatsGateway: a gain just not negligible", "maxConnections: just not the same, more",
        "maxConnections: just the same, less", "concurrencyPeak: concurrency does not matter", "fallsAfterPeak: a level end",
        "moreRequestUnits: more RU/s do not help", "latencyUnder: 99% take 10 ms", "waitsAfterThrottling: half of the time",
        "queryCostGrows: no effect", "scalabilityLaw: no contention, 5 levels differ by 5%",
    ];

    [Theory(Explicit = true)]
    [Trait("Duration", "Long")]
    [MemberData(nameof(Truths))]
    public void Verdict_UnderAnyNoiseThatItsTextDoesNotExclude_IsSeldomWrong(string name) => Assert.All(
        FindingTruths.All.Where(truth => truth.Name == name),
        truth => Assert.All(
            Enum.GetValues<NoiseKind>().Where(noise => !truth.IsExcluded(noise)),
            noise => Assert.InRange(truth.WrongShare(noise, Repeats, Experiments), 0, FindingTruth.MaxShareOf(Experiments))));

    /// <summary>Verdicts are wrong more often under the noise that their text excludes.</summary>
    [Theory]
    [InlineData("latencyUnder: 99% take 10 ms", (int)NoiseKind.StronglyCorrelated, "did not drift")]
    [InlineData("maxConnections: just the same, more", (int)NoiseKind.DriftNotInTurn, "took turns")]
    public void Verdict_UnderNoiseThatItsTextExcludes_IsMoreOftenWrong(string name, int noise, string text)
    {
        var truth = FindingTruths.All.Last(truth => truth.Name == name);
        var wrong = truth.Results((NoiseKind)noise, Repeats, Experiments).Where(result => result.Verdict == truth.Wrong).ToList();

        Assert.True(wrong.Count > Experiments * FindingTruth.MaxShareOf(Experiments), $"{wrong.Count}");
        Assert.All(wrong, result => Assert.Contains(text, result.RestsOn, StringComparison.Ordinal));
    }

    /// <summary>
    /// If an experimenter chooses the number of repeats after a look, chance has several tries. With <c>looks</c> each experiment is
    /// corrected for all of them.
    /// </summary>
    [Fact]
    public void Holm_QuestionThatIsLookedAtAgain_IsChargedForEachLook()
    {
        Assert.True(Followed.WrongShare([1, 1, 1], Experiments) > FindingTruth.MaxShareOf(Experiments));
        Assert.InRange(Followed.WrongShare([3, 3, 3], Experiments), 0, FindingTruth.MaxShareOf(Experiments));
        Assert.InRange(Followed.WrongShare([1, 2, 3], Experiments), 0, FindingTruth.MaxShareOf(Experiments));
    }

    [Fact]
    public void RestsOn_DecidedFindings_StandsInTheReportOnceForAllOfThem()
    {
        var decided = Evaluation.OfPair(FindingKind.Bulk, 1.5);
        var wrong = "are wrong in at most 5% of such experiments if the variants took turns";
        Assert.StartsWith($"Verdicts {wrong}", Assert.Single(FindingText.RestOn([decided, decided])), StringComparison.Ordinal);
        Assert.StartsWith(
            $"Verdicts of {decided.Id} {wrong}", FindingText.RestOn([decided, decided with { RestsOn = "another" }])[0],
            StringComparison.Ordinal);
        Assert.Null(Evaluation.From(FindingKind.Bulk, Pairs.From(FindingKind.Bulk, 1.5), repeats: 1).RestsOn);
    }
}
