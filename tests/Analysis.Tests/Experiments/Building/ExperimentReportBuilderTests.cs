namespace ScaleOut.Tests.Analysis.Experiments.Building;

public sealed class ExperimentReportBuilderTests
{
    [Fact]
    public void Build_Repeats_HaveTheirGeometricMeanWithStudentsInterval()
    {
        var rate = MeasuredExperiment.From([("a", 1, [100, 110, 121], null)]).Variants[0].Rate!;
        // Logarithms 0, 1, 2 times ln 1.1 around ln 110: s = ln 1.1, t(2, 0.975) = 4.302653.
        var reach = Math.Exp(4.302653 * Math.Log(1.1) / Math.Sqrt(3));
        Assert.Equal(110, rate.Value, precision: 6);
        Assert.Equal(110 / reach, rate.Interval95!.Value.Low, precision: 3);
        Assert.Equal(110 * reach, rate.Interval95!.Value.High, precision: 3);
        Assert.Equal(3, rate.Count);
    }

    [Fact]
    public void Build_OneRepeat_HasNoIntervalAndSaysSo()
    {
        var report = MeasuredExperiment.From([("a", 1, [100], null)]);
        Assert.Null(report.Variants[0].Rate!.Interval95);
        AssertText.AnyHas(report.Warnings, "no intervals");
    }

    [Fact]
    public void Build_NotRunVariant_IsListedWithItsReason()
    {
        var report = MeasuredExperiment.From([("a", 1, [100, 101], null), ("b", 2, [], null)]);
        Assert.Equal(new NotTestedItem("variant b", "it needs more cores"), Assert.Single(report.NotTested));
        Assert.Null(report.Variants[1].Rate);
        var outcome = ExperimentReportBuilder.OutcomeOf(report);
        Assert.Equal(
            (ExperimentState.Complete, 4, 2, 0, 2),
            (outcome.State, outcome.Runs, outcome.Complete, outcome.NotComplete, outcome.NotTestable));
    }

    [Fact]
    public void Build_Findings_AreEvaluatedOnTheVariantsByName()
    {
        var report = MeasuredExperiment.From(
            [("one", 1, [100, 101, 102], null), ("two", 2, [200, 201, 202], null), ("four", 4, [150, 151, 152], null)],
            findings: [
                new FindingSpec { Kind = FindingKind.ConcurrencyPeak, Variants = ["one", "two", "four"] },
                new FindingSpec { Kind = FindingKind.TableStorage },
            ]);

        Assert.Equal([FindingVerdict.Supported, FindingVerdict.NotTested], report.Findings.Select(finding => finding.Verdict));
        Assert.Equal("two", report.Findings[0].Peak!.Variant);
        Assert.Contains(report.NotTested, item => item.What.StartsWith("finding tableStorage", StringComparison.Ordinal));
    }

    [Fact]
    public void Build_ScaledExperiment_IsLabelled()
    {
        var report = MeasuredExperiment.From([("a", 1, [100, 101], null)], scale: 0.5);
        Assert.Contains(report.Warnings, warning => warning.StartsWith("Scaled: each run has 0.5 of", StringComparison.Ordinal));
        Assert.Equal((20_000, 10_000), (report.Variants[0].FullDocuments, report.Variants[0].Plan.Documents));
    }

    [Fact]
    public void Build_StoppedExperiment_SaysHowFarItCame()
    {
        var spec = ExperimentSample.From(2, 1);
        var end = new MeasuredRun { Variant = 0, Repeat = 1, RunId = "sample-v01-r01", State = RunState.Failed, Reason = "no account" };
        var ending = new ExperimentEnding { Spec = spec, StartedAt = default, FinishedAt = default, Runs = [end], Stopped = true };

        var report = ExperimentReportBuilder.Build(ending, [RunDigest.From(end, report: null)]);

        Assert.Equal(ExperimentState.Stopped, report.State);
        Assert.Equal(
            ["variant variant A: 1 run, none of them complete: no account", "variant variant B: the experiment was stopped before it"],
            report.NotTested.Select(item => $"{item.What}: {item.Why}"));
        AssertText.AnyHas(report.Warnings, "stopped after 0 of 2 runs");
        AssertText.AnyHas(report.Warnings, "repeat 1 is failed and counts for nothing: no account");
    }
}
