using System.Globalization;
using ScaleOut.Analysis.Findings;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Text;

namespace ScaleOut.Analysis.Experiments.Sensitivity;

/// <summary>The sensitivity of findings in words and rows.</summary>
public static class SensitivityText
{
    /// <summary>How many draws say the same of a finding, and where it flips.</summary>
    public static string Sentence(FindingSensitivity finding)
    {
        ArgumentNullException.ThrowIfNull(finding);
        var all = finding.Outcomes.Count;
        if (finding.NotSimulated is { } reason)
            return $"Its sensitivity could not be simulated: {reason}.";
        if (finding.Tested == 0)
            return $"Not tested in any of {Words.Amount(all, "draw")} of the assumed physics.";
        var untested = all == finding.Tested ? "" : $", {Numbers.Count(all - finding.Tested)} more not tested";
        var what = finding.ByDirection ? $"the same direction (effect {finding.Reference})" : $"the same verdict ({finding.Reference})";
        return $"In {Numbers.Count(finding.Same)} of {Words.Amount(finding.Tested, "draw")} of the assumed physics {what}{untested}. "
            + Flip(finding);
    }

    /// <summary>How the control differs from what was measured.</summary>
    internal static string Difference(FindingResult own, FindingResult control, string? ownOutcome, string? controlOutcome) =>
        $"in virtual time the experiment's own physics give \"{WithEffect(controlOutcome, control.Effect)}\""
            + $"{Why(control, controlOutcome)}, the measured runs \"{WithEffect(ownOutcome, own.Effect)}\"{Why(own, ownOutcome)}";

    /// <summary>The heading of a report.</summary>
    public static string Headline(SensitivityReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var steady = report.Findings.Count(finding => finding.Tested > 0 && finding.Same == finding.Tested);
        var flips = report.Findings.Count(finding => finding.Flip is not null);
        var without = report.Findings.Count(finding => finding.NotSimulated is not null);
        return $"{Words.Amount(report.Draws.Count, "draw")} of {Words.Amount(report.Parameters.Count, "assumed parameter")} in virtual "
            + $"time; of {Words.Amount(report.Findings.Count, "finding")} {steady} are the same in all draws, {flips} flip with one "
            + "parameter"
            + (without > 0 ? $", {without} could not be simulated." : ".")
            + (report.Measured.Count > 0
                ? $" Not drawn: {Words.Amount(report.Measured.Count, "parameter")} that the profile measured."
                : "");
    }

    /// <summary>A row for each finding.</summary>
    public static TextTable Findings(SensitivityReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return new TextTable(
            "Findings under other physics",
            [
                Column.From("Finding"), Column.From("Measured"), new("Same"), new("Draws tested"), Column.From("Draws"),
                Column.From("Flips at"), new("Draws right"),
            ],
            [
                .. report.Findings.Select(finding => (IReadOnlyList<string>)(finding.NotSimulated is not null
                    ? [finding.Id, finding.Own ?? Numbers.Unknown, Numbers.Unknown, "0", "not simulated", Numbers.Unknown, Numbers.Unknown]
                    :
                    [
                        finding.Id, finding.Own ?? Numbers.Unknown, Numbers.Count(finding.Same), Numbers.Count(finding.Tested),
                        Counts(finding), finding.Flip is { } flip ? $"{flip.Parameter} {Numbers.Brief(flip.Threshold)}" : Numbers.Unknown,
                        finding.Flip is { } found ? $"{found.Right} of {found.Draws}" : Numbers.Unknown,
                    ])),
            ],
            "Where the effect is assumed there is no verdict, and its direction stands instead: above or below 1. Not simulated: a variant "
                + "cannot be, or the control says something else than the measured runs. " + FlipPoint.Rule);
    }

    /// <summary>What virtual time makes of each variant under its own physics.</summary>
    public static TextTable Control(SensitivityReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        static IEnumerable<string> Cells(ControlFigure? figure) => figure is null
            ? [Numbers.Unknown, Numbers.Unknown, Numbers.Unknown]
            : [Numbers.Brief(figure.Measured), Numbers.Brief(figure.Simulated), Error(figure.Error)];
        return new TextTable(
            "The control: the experiment's own physics in virtual time",
            [
                Column.From("Variant"), new("Rate, 1/s"), new("Simulated"), new("Error"), new("p99, ms"), new("Simulated"), new("Error"),
                Column.From("Not simulated"),
            ],
            [
                .. report.Control.Select(variant => (IReadOnlyList<string>)
                    [variant.Name, .. Cells(variant.Rate), .. Cells(variant.P99LatencyMs), variant.NotSimulated ?? ""]),
            ],
            "Each measured run gives its clients' CPU, overhead, charges and requests of an operation to its simulation, and nothing else. "
                + "Draws are simulated in the same way, so an effect smaller than these errors says little.");
    }

    /// <summary>What was drawn, and from where to where.</summary>
    public static TextTable Parameters(SensitivityReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return new TextTable(
            "What was drawn",
            [
                Column.From("Parameter"), new("Default"), new("Low"), new("High"), Column.From("Steps"), Column.From("How"),
                Column.From("Why"),
            ],
            [
                .. report.Parameters.Select(parameter => (IReadOnlyList<string>)
                [
                    parameter.Name, Numbers.Brief(parameter.Default), Numbers.Brief(parameter.Low), Numbers.Brief(parameter.High),
                    parameter.Logarithmic ? "equal factors" : "equal steps", parameter.Scaled ? "scaled" : "replaced", parameter.Source,
                ]),
            ],
            "Replaced: every variant has the drawn value. Scaled: the variants differ in it, or it is a factor, so each variant's own "
                + "value is multiplied by drawn value / default; where the default is 0 it stays."
                + (report.Measured.Count > 0
                    ? $" Not drawn, because the profile measured them: {string.Join(", ", report.Measured)}."
                    : ""));
    }

    /// <summary>A row for each draw.</summary>
    public static TextTable Draws(SensitivityReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return new TextTable(
            "The draws",
            [
                new("Draw"), .. report.Parameters.Select(parameter => new Column(ShortName(parameter.Name))),
                .. report.Findings.Select(finding => Column.From(finding.Id)),
            ],
            [
                .. report.Draws.Select((draw, i) => (IReadOnlyList<string>)
                [
                    Numbers.Count(draw.Number), .. draw.Values.Select(value => Numbers.Brief(value)),
                    .. report.Findings.Select(finding => Outcome(finding, i)),
                ]),
            ]);
    }

    /// <summary>The last part of a parameter's name.</summary>
    internal static string ShortName(string parameter) => parameter[(parameter.LastIndexOf('.') + 1)..];

    /// <summary>What came of a finding in a draw, with its effect.</summary>
    internal static string Outcome(FindingSensitivity finding, int draw) => finding.NotSimulated is null
        ? WithEffect(finding.Outcomes[draw], finding.Effects[draw])
        : "not simulated";

    private static string WithEffect(string? outcome, double? effect) =>
        (outcome ?? "not tested") + (effect is { } known ? $" ({FindingText.Ratio(known)} x)" : "");

    private static string Why(FindingResult finding, string? outcome) => outcome is null
        ? $" ({(finding.Reason ?? finding.Sentence).TrimEnd('.')})"
        : "";

    private static string Error(double error) => error.ToString("+0.0%;-0.0%;0.0%", CultureInfo.InvariantCulture);

    private static string Flip(FindingSensitivity finding)
    {
        if (finding.Outcomes.OfType<string>().Distinct().Count() == 1)
            return "It does not flip in the range of any parameter.";
        if (finding.Flip is not { } flip)
            return "No single parameter separates them better than chance.";
        var (one, other) = flip.HoldsAbove ? ("above", "below") : ("below", "above");
        var others = finding.Outcomes.OfType<string>().Distinct().Where(outcome => outcome != finding.FlipOf).Order(StringComparer.Ordinal);
        var asGood = flip.AsGood.Count == 0 ? "" : $" ({string.Join(" and ", flip.AsGood)} would do as well)";
        var subject = finding.ByDirection ? $"The effect ({finding.EffectOf})" : $"\"{finding.Claim}\"";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{subject} is {finding.FlipOf} while {flip.Parameter} is {one} {Numbers.Brief(flip.Threshold)}, "
                + $"and {string.Join(" or ", others)} {other} it: right for {flip.Right} of {flip.Draws} draws{asGood}.");
    }

    private static string Counts(FindingSensitivity finding) => string.Join(", ", finding.Outcomes.OfType<string>()
        .GroupBy(outcome => outcome).OrderByDescending(group => group.Count()).ThenBy(group => group.Key, StringComparer.Ordinal)
        .Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.Count()} {group.Key}")));
}
