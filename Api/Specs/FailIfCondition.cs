using System.Text;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Analysis.Limits;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Building;
using ScaleOut.Analysis.Reports.FailIf;

namespace ScaleOut.Api.Specs;

/// <summary>
/// A condition under which a run or an experiment fails although it is complete, known to be sound before anything begins.
/// </summary>
public sealed class FailIfCondition
{
    private readonly FailIfExpression _expression;
    private readonly IReadOnlyCollection<string> _names;

    private FailIfCondition(FailIfExpression expression, IReadOnlyCollection<string> names) => (_expression, _names) = (expression, names);

    /// <summary>As it was given.</summary>
    public string Text => _expression.Text;

    /// <summary>Parses a condition. It is null exactly when there are errors.</summary>
    /// <param name="names">Numbers that a report of this kind can have. Null when the kind is not known; then only the form is
    /// judged.</param>
    public static (FailIfCondition? Condition, IReadOnlyList<string> Errors) Parse(string text, IReadOnlyCollection<string>? names)
    {
        var reading = FailIfExpression.Parse(text);
        if (reading.Value is not { } expression)
            return (null, [.. reading.Errors.Select(error => error.ToString())]);
        var unknown = names is null ? [] : expression.UnknownNames(names);
        return unknown.Count == 0
            ? (new FailIfCondition(expression, names ?? []), [])
            : (null, [.. unknown.Select(name => name.ToString())]);
    }

    /// <summary>Whether it holds.</summary>
    /// <param name="numbers">Numbers of a report. Unmeasured ones may be missing.</param>
    public bool Holds(IReadOnlyDictionary<string, double?> numbers)
    {
        var all = _names.ToDictionary(name => name, double? (_) => null);
        foreach (var (name, value) in numbers)
            all[name] = value;
        return _expression.Holds(all);
    }
}

/// <summary>The numbers that a condition may name, known before anything is measured.</summary>
public static class FailIfNames
{
    /// <summary>Made once: the page of a server asks for the state of a run each second.</summary>
    private static readonly Lazy<IReadOnlyCollection<string>> Run = new(() =>
    {
        var ending = new RunEnding { Spec = new RunSpec { Id = "none" }, StartedAt = default, FinishedAt = default };
        var report = RunReportBuilder.Build(ending, new LegHarvest([], LostLegs: 0));
        return [.. ReportNumbers.From(report with { Utilization = new Utilization() }).Keys];
    });

    /// <summary>Those of a run.</summary>
    public static IReadOnlyCollection<string> OfRun => Run.Value;

    /// <summary>Those of an experiment with variants.</summary>
    public static IReadOnlyCollection<string> OfExperiment => ExperimentNumbers.Names;

    /// <summary>Those of a search for a limit.</summary>
    public static IReadOnlyCollection<string> OfLimit => [.. LimitNumbers.OfSearch(null).Keys];

    /// <summary>Those of an experiment: one that looks for a limit has numbers of its own.</summary>
    public static IReadOnlyCollection<string> From(ExperimentSpec? spec) => spec?.Limit is null ? OfExperiment : OfLimit;

    /// <summary>Those of an experiment by its claimed spec.</summary>
    public static IReadOnlyCollection<string> OfClaimed(byte[] spec) =>
        From(ExperimentSpecReader.Read(Encoding.UTF8.GetString(spec)).Value);
}
