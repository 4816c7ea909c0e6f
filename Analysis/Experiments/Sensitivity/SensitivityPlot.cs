using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Text;
using ScaleOut.Specs;

namespace ScaleOut.Analysis.Experiments.Sensitivity;

/// <summary>Each finding a row of dots, one for each draw, over the range of the parameter that flips it.</summary>
internal static class SensitivityPlot
{
    private static readonly (string Outcome, string Colour)[] Colours =
    [
        ("supported", "s2"), ("refuted", "s5"), ("inconclusive", "s1"), ("above 1", "s0"), ("below 1", "s3"), (NotTested, "s7"),
    ];

    private const string NotTested = "not tested";

    public static Plot From(SensitivityReport report)
    {
        var simulated = report.Findings.Where(finding => finding.NotSimulated is null).ToList();
        var plot = new RowPlot([.. simulated.Select(finding => Row(report, finding))], "share of the parameter's range");
        var outcomes = simulated.SelectMany(finding => finding.Outcomes).Select(outcome => outcome ?? NotTested).ToHashSet();
        return new Plot(
            "sensitivity", "Verdicts over the range of the parameter that flips them",
            "A dot for each draw, coloured by what came of the finding: from the low end of the parameter's range to the high one, with a "
                + "stroke where it flips; of a finding that no parameter flips, the draws in their order. "
                + string.Join(" ", report.Findings.Select(finding => $"{finding.Id}: {finding.Sentence}")),
            [
                .. Colours.Where(entry => outcomes.Contains(entry.Outcome)).Select(entry => new LegendEntry(entry.Outcome, entry.Colour)),
                .. report.Findings.Any(finding => finding.Flip is not null)
                    ? [new LegendEntry("where it flips", "limit", "line")]
                    : Array.Empty<LegendEntry>(),
            ],
            plot.Draw, Fit: plot.Fit);
    }

    private static PlotRow Row(SensitivityReport report, FindingSensitivity finding)
    {
        var index = finding.Flip is { } flip ? report.Parameters.ToList().FindIndex(parameter => parameter.Name == flip.Parameter) : -1;
        var label = index < 0 ? $"{finding.Id}: no parameter" : $"{finding.Id}: {SensitivityText.ShortName(report.Parameters[index].Name)}";
        var dots = report.Draws.Select((draw, i) => new RowMark(
            index < 0 ? (i + 0.5) / report.Draws.Count : ShareOf(report.Parameters[index], draw.Values[index]),
            RowShape.Dot, ColourOf(finding.Outcomes[i]), Title(report, finding, i, index)));
        return new PlotRow(label, [],
        [
            .. finding.Flip is { } found
                ? [new RowMark(
                    ShareOf(report.Parameters[index], found.Threshold), RowShape.Tick, "limit",
                    $"{found.Parameter} {Numbers.Brief(found.Threshold)}")]
                : Array.Empty<RowMark>(),
            .. dots,
        ]);
    }

    private static string ColourOf(string? outcome) => Colours.First(entry => entry.Outcome == (outcome ?? NotTested)).Colour;

    private static string Title(SensitivityReport report, FindingSensitivity finding, int draw, int parameter) =>
        $"draw {report.Draws[draw].Number}: {SensitivityText.Outcome(finding, draw)}"
            + (parameter < 0
                ? ""
                : $" at {report.Parameters[parameter].Name} {Numbers.Brief(report.Draws[draw].Values[parameter])}");

    private static double ShareOf(DrawnParameter parameter, double value) => Math.Clamp(
        parameter.Logarithmic
            ? Math.Log(value / parameter.Low) / Math.Log(parameter.High / parameter.Low)
            : (value - parameter.Low) / (parameter.High - parameter.Low),
        0, 1);
}
