using ScaleOut.Orchestration;
using ScaleOut.Reports;
using ScaleOut.Specs;
using ScaleOut.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary>The condition of <c>--fail-if</c>, known to be sound before the run begins.</summary>
internal sealed class FailIfCondition
{
    private readonly FailIfExpression _expression;

    private FailIfCondition(FailIfExpression expression) => _expression = expression;

    public string Text => _expression.Text;

    /// <exception cref="InputException">All that is wrong with it.</exception>
    public static FailIfCondition Parse(string text, string option)
    {
        if (!FailIfExpression.TryParse(text, out var expression, out var fault))
            throw new InputException($"{option}: {fault}");
        var unknown = expression.UnknownNames([.. NumbersOfEmptyReport().Keys]);
        return unknown.Count == 0 ? new FailIfCondition(expression) : throw new InputException([.. unknown.Select(name => $"{option}: {name}")]);
    }

    public bool Holds(RunReport report)
    {
        // A run in which nothing was measured lacks the names of what it lacks.
        var numbers = NumbersOfEmptyReport();
        foreach (var (name, value) in ReportNumbers.Of(report))
            numbers[name] = value;
        return _expression.Holds(numbers);
    }

    private static Dictionary<string, double?> NumbersOfEmptyReport()
    {
        var ending = new RunEnding { Spec = new RunSpec { Id = "none" }, StartedAt = default, FinishedAt = default };
        var report = RunReportBuilder.Build(ending, new LegHarvest([], LostLegs: 0));
        return ReportNumbers.Of(report with { Utilization = new Utilization() }).ToDictionary(entry => entry.Key, _ => (double?)null);
    }
}
