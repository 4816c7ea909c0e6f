using ScaleOut.Analysis.Experiments.Tables;
using Interval = ScaleOut.Analysis.Statistics.Interval;

namespace ScaleOut.Tests.Analysis.Experiments;

/// <summary>Two repeats with noise give intervals such as 0.0731 to 104,578, which look like a result and are none.</summary>
public sealed class IntervalTextTests
{
    [Theory]
    [InlineData(0.0731, 104_578, "too few repeats")]
    [InlineData(100, 1_001, "too few repeats")]
    [InlineData(100, 999, "100 to 999")]
    public void Interval_OfARate_SaysWhenItIsTooWide(double low, double high, string text) =>
        Assert.Equal(text, VariantTable.Interval(new Interval(low, high)));

    [Fact]
    public void Details_TwoRepeatsWithNoise_SayThatTheyAreTooFew()
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [100, 180], null), ("two", 2, [150, 320], null), ("four", 4, [90, 200], null)],
            findings: [new FindingSpec { Kind = FindingKind.ConcurrencyPeak, Variants = ["one", "two", "four"] }]);
        var finding = Assert.Single(report.Findings);

        Assert.True(finding.Interval95!.Value.IsTooWide);
        Assert.Contains("(95% interval: too few repeats)", finding.Sentence, StringComparison.Ordinal);
        Assert.Contains("too few repeats", FindingText.Details(finding)[0], StringComparison.Ordinal);
        Assert.DoesNotContain(" to ", FindingText.Details(finding)[0], StringComparison.Ordinal);
    }
}
