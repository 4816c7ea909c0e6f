using System.Text;
using ScaleOut.Analysis.Experiments;
using ScaleOut.Analysis.Experiments.Reading;
using ScaleOut.Analysis.Limits;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Building;
using ScaleOut.Analysis.Reports.FailIf;
using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary>The condition of <c>--fail-if</c>, known to be sound before anything begins.</summary>
internal sealed class FailIfCondition
{
    private readonly FailIfExpression _expression;
    private readonly IReadOnlyCollection<string> _names;

    private FailIfCondition(FailIfExpression expression, IReadOnlyCollection<string> names) => (_expression, _names) = (expression, names);

    public string Text => _expression.Text;

    /// <param name="text">The expression.</param>
    /// <param name="option">Stands before each error.</param>
    /// <param name="names">Of the numbers that a report of this kind can have.</param>
    /// <exception cref="InputException">All that is wrong with it.</exception>
    public static FailIfCondition Parse(string text, string option, IReadOnlyCollection<string> names)
    {
        if (!FailIfExpression.TryParse(text, out var expression, out var error))
            throw new InputException($"{option}: {error}");
        var unknown = expression.UnknownNames(names);
        return unknown.Count == 0
            ? new FailIfCondition(expression, names)
            : throw new InputException([.. unknown.Select(name => $"{option}: {name}")]);
    }

    /// <param name="numbers">Of a report; what was not measured may be missing.</param>
    public bool Holds(IReadOnlyDictionary<string, double?> numbers)
    {
        var all = _names.ToDictionary(name => name, double? (_) => null);
        foreach (var (name, value) in numbers)
            all[name] = value;
        return _expression.Holds(all);
    }
}

/// <summary>The numbers that <c>--fail-if</c> may name, known before anything is measured.</summary>
internal static class FailIfNames
{
    public static IReadOnlyCollection<string> OfRun
    {
        get
        {
            var ending = new RunEnding { Spec = new RunSpec { Id = "none" }, StartedAt = default, FinishedAt = default };
            var report = RunReportBuilder.Build(ending, new LegHarvest([], LostLegs: 0));
            return [.. ReportNumbers.From(report with { Utilization = new Utilization() }).Keys];
        }
    }

    public static IReadOnlyCollection<string> OfExperiment => ExperimentNumbers.Names;

    /// <summary>Those of an experiment by its claimed spec: one that looks for a limit has numbers of its own.</summary>
    public static IReadOnlyCollection<string> OfClaimed(byte[] spec) =>
        ExperimentSpecReader.Read(Encoding.UTF8.GetString(spec)).Spec?.Limit is null
            ? OfExperiment
            : [.. LimitReportTexts.NumbersOf(null).Keys];
}
