using System.Globalization;
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
        var untested = all == finding.Tested ? "" : $", {Numbers.Count(all - finding.Tested)} more not tested";
        if (finding.Tested == 0)
            return $"Not tested in any of {Words.Amount(all, "draw")} of the assumed physics.";
        var what = finding.ByDirection ? $"the same direction (effect {finding.Reference})" : $"the same verdict ({finding.Reference})";
        return $"In {Numbers.Count(finding.Same)} of {Words.Amount(finding.Tested, "draw")} of the assumed physics {what}{untested}. "
            + Flip(finding);
    }

    /// <summary>The heading of a report.</summary>
    public static string Headline(SensitivityReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        var steady = report.Findings.Count(finding => finding.Tested > 0 && finding.Same == finding.Tested);
        var flips = report.Findings.Count(finding => finding.Flip is not null);
        return $"{Words.Amount(report.Draws.Count, "draw")} of {Words.Amount(report.Parameters.Count, "assumed parameter")}; of "
            + $"{Words.Amount(report.Findings.Count, "finding")} {steady} are the same in all draws, {flips} flip with one parameter.";
    }

    /// <summary>A row for each finding.</summary>
    public static TextTable Findings(SensitivityReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return new TextTable(
            "Findings under other physics",
            [
                Column.From("Finding"), Column.From("Experiment"), new("Same"), new("Draws tested"), Column.From("Draws"),
                Column.From("Flips at"), new("Draws right"),
            ],
            [
                .. report.Findings.Select(finding => (IReadOnlyList<string>)
                [
                    finding.Id, finding.Own ?? Numbers.Unknown, Numbers.Count(finding.Same), Numbers.Count(finding.Tested), Counts(finding),
                    finding.Flip is { } flip ? $"{flip.Parameter} {Numbers.Brief(flip.Threshold)}" : Numbers.Unknown,
                    finding.Flip is { } found ? $"{found.Right} of {found.Draws}" : Numbers.Unknown,
                ]),
            ],
            "Where the effect is assumed there is no verdict, and its direction stands instead: above or below 1. " + FlipPoint.Rule);
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
                + "value is multiplied by drawn value / default; where the default is 0 it stays.");
    }

    /// <summary>A row for each draw.</summary>
    public static TextTable Draws(SensitivityReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return new TextTable(
            "The draws",
            [
                Column.From("Experiment"), Column.From("State"),
                .. report.Parameters.Select(parameter => new Column(ShortName(parameter.Name))),
                .. report.Findings.Select(finding => Column.From(finding.Id)),
            ],
            [
                .. report.Draws.Select((draw, i) => (IReadOnlyList<string>)
                [
                    draw.ExperimentId, draw.State?.ToString().ToLowerInvariant() ?? "no report",
                    .. draw.Values.Select(value => Numbers.Brief(value)),
                    .. report.Findings.Select(finding => Outcome(finding, i)),
                ]),
            ],
            "Each draw is an experiment of its own, with a folder and a report.");
    }

    /// <summary>The last part of a parameter's name.</summary>
    internal static string ShortName(string parameter) => parameter[(parameter.LastIndexOf('.') + 1)..];

    /// <summary>What came of a finding in a draw, with its effect.</summary>
    internal static string Outcome(FindingSensitivity finding, int draw) =>
        (finding.Outcomes[draw] ?? "not tested") + (finding.Effects[draw] is { } effect ? $" ({FindingText.Ratio(effect)} x)" : "");

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
