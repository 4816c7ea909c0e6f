using ScaleOut.Analysis.Findings.Predictions;

namespace ScaleOut.Tests.EndToEnd.SpecFiles;

/// <summary>
/// What the parameters alone predict for each published pair and finding of the plans, without a run. A client that did exactly that would
/// be evidence of nothing.
/// </summary>
public sealed class PublishedPredictionsTests(ITestOutputHelper output)
{
    [Theory]
    [MemberData(nameof(PlansTests.ExperimentFiles), MemberType = typeof(PlansTests))]
    public void Evaluate_ClientThatDoesWhatTheParametersPredict_IsNoEvidence(string file)
    {
        var spec = PublishedPlansTests.Read(file);
        var truths = spec.Variants.Select((variant, i) => Predicted(variant.Name, GridPlanner.FullPlanOf(spec, i))).ToList();
        var measured = Truth.MeasureExactly(truths, repeats: 3);

        var findings = FindingTests.Evaluate(spec.Findings, measured);

        foreach (var finding in findings)
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{file}, {finding.Id}: published {Text(finding.Published?.Value)}, predicted {Text(finding.Predicted)} "
                    + $"({finding.FollowsFrom ?? finding.Reason}): {FindingText.Label(finding)}"));
        }

        Assert.All(findings, finding => Assert.True(
            finding.Verdict is FindingVerdict.Assumed or FindingVerdict.NotTested || finding.Kind == FindingKind.TableStorage,
            $"{finding.Id}: {finding.Verdict}: {finding.Sentence}"));
        var published = PublishedOrder.From([.. spec.Variants.Select((variant, i) => Report(spec, i, measured[i]))]);
        foreach (var pair in published?.Pairs.Where(pair => pair.Verdict != PairVerdict.Tie) ?? [])
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{file}, {pair.Faster} over {pair.Slower}: published {pair.Published:0.00} x, predicted {Text(pair.Expected)}: "
                    + $"{pair.Verdict}"));
            Assert.True(pair.Verdict is PairVerdict.Assumed or PairVerdict.NotTestable, $"{pair}");
        }
    }

    private static string Text(double? ratio) => ratio is { } known ? $"{Numbers.Ratio(known)} x" : "nothing";

    private static Truth Predicted(string name, RunSpec spec)
    {
        var rate = PredictedRate.From(spec, simulated: true)!.Value;
        var settings = spec.SettingsOf(0);
        return new Truth
        {
            Name = name, Spec = spec, Rate = rate, Simulated = true, Cores = settings.Cores, Calls = 1,
            LatencyMs = PredictedLatency.MeanMs(spec, settings), P99LatencyMs = PredictedLatency.QuantileMs(spec, settings, 0.99),
            RequestUnits = PredictedRate.ChargeOf(spec), BoundBy = BoundBy.Latency,
            Steps = [.. Enumerable.Range(0, spec.Workload.Steps?.Count ?? 0).Select(step => PredictedRate.OfStep(spec, step)!.Value)],
        };
    }

    private static VariantReport Report(ExperimentSpec spec, int variant, MeasuredVariant measured) => new()
    {
        Name = measured.Name, Plan = measured.Spec, FullDocuments = measured.Spec.Documents, Published = spec.Variants[variant].Published,
        ExpectedRate = PredictedRate.From(measured.Spec, simulated: true),
        Rate = Estimate.From(measured.Repeats.Select(run => run.Rate)),
        Runs = [.. measured.Repeats.Select((run, i) => new RunDigest
        {
            Repeat = i + 1, RunId = $"r{i}", State = RunState.Complete, Figures = run with { RunId = $"r{i}" },
        })],
    };
}
