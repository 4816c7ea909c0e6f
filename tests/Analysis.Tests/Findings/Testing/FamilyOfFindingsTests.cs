using MathNet.Numerics.Distributions;

namespace ScaleOut.Tests.Analysis.Findings.Testing;

public sealed class FamilyOfFindingsTests
{
    [Fact]
    public void Correct_SeveralFindings_MultipliesBySteps()
    {
        var findings = FamilyOfFindings.Correct(
            [
                With(FindingVerdict.Refuted, 0.02), With(FindingVerdict.Supported, 0.001), With(FindingVerdict.Inconclusive, null),
                With(FindingVerdict.NotTested, null), With(FindingVerdict.Supported, 0.012),
            ]);

        // Four findings were tested: 4 x 0.001, 3 x 0.012, 2 x 0.02. No product is less than the one before it.
        Assert.Equal(
            [(FindingVerdict.Refuted, 0.04), (FindingVerdict.Supported, 0.004), null, null, (FindingVerdict.Supported, 0.036)],
            findings.Select(finding => finding.Holm is { } holm
                ? (holm.Verdict, Math.Round(holm.PValue, 9))
                : ((FindingVerdict, double)?)null));
        Assert.All(findings, finding => Assert.Equal(finding.Holm is null, finding.PValue is null));
        Assert.All(findings.Select(finding => finding.Holm).OfType<HolmVerdict>(), holm => Assert.Equal(4, holm.Findings));
    }

    [Fact]
    public void Correct_VerdictThatStandsAloneOnly_IsInconclusiveAmongAll()
    {
        var findings = FamilyOfFindings.Correct([With(FindingVerdict.Supported, 0.03), With(FindingVerdict.Supported, 0.026)]);
        Assert.All(findings, finding => Assert.Equal((FindingVerdict.Supported, FindingVerdict.Inconclusive, 0.052),
            (finding.Verdict, finding.Holm!.Verdict, Math.Round(finding.Holm.PValue, 9))));
    }

    /// <summary>The level at which an interval just excludes a limit is the p of Student's t for that limit.</summary>
    [Theory]
    [InlineData(FindingKind.Bulk, 1.05, 1.0)]
    [InlineData(FindingKind.MaxConnections, 1.12, Equivalence.NegligibleFactor)]
    public void Evaluate_Pair_HasThePOfStudentsT(FindingKind kind, double ratio, double limit)
    {
        var measured = Truth.Measure(Pairs.From(kind, ratio), 5, new Noise(new Random(3), 0.02, variants: 0));
        var finding = Assert.Single(FindingTests.Evaluate([new FindingSpec { Kind = kind, Variants = ["a", "b"] }], measured));

        List<double> Rates(int variant) => [.. measured[variant].Repeats.Select(run => run.Rate!.Value)];
        var effect = RatioEffect.From(Rates(1), Rates(0))!;
        var t = Math.Log(effect.Ratio / limit) / effect.StandardError;
        Assert.True(finding.Verdict is FindingVerdict.Supported or FindingVerdict.Refuted, finding.Sentence);
        Assert.Equal(2 * StudentT.CDF(0, 1, effect.DegreesOfFreedom, -t), finding.PValue!.Value, 5);
        Assert.Equal((finding.Verdict, finding.PValue.Value), (finding.Holm!.Verdict, finding.Holm.PValue));
    }

    /// <summary>Two repeats leave one or two degrees of freedom. Their quantiles at low levels are very large.</summary>
    [Theory]
    [InlineData(FindingKind.MoreRequestUnits)]
    [InlineData(FindingKind.Bulk)]
    public void Evaluate_TwoRepeatsFarApart_HaveAPValue(FindingKind kind)
    {
        var truths = kind == FindingKind.Bulk ? Pairs.From(kind, 30) : Ladder.OfThroughput(1e9, 10_000, 20_000);
        var spec = new FindingSpec { Kind = kind, Variants = [.. truths.Select(truth => truth.Name)] };

        var finding = Assert.Single(FindingTests.Evaluate([spec], Truth.MeasureExactly(truths, repeats: 2)));

        Assert.Equal(FindingVerdict.Supported, finding.Verdict);
        Assert.InRange(Assert.NotNull(finding.PValue), 0, Verdicts.DefaultLevel);
    }

    private static FindingResult With(FindingVerdict verdict, double? p) => new()
    {
        Id = "x", Kind = FindingKind.Bulk, Claim = "It holds.", Verdict = verdict, Sentence = "It does.", PValue = p,
    };
}
