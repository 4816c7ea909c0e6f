using ScaleOut.Reports;
using ScaleOut.Specs;

namespace ScaleOut.DevBox.Commands;

/// <summary>The condition of <c>--fail-if</c>, known to be sound before anything begins.</summary>
internal sealed class FailIfCondition
{
    private readonly FailIfExpression _expression;
    private readonly IReadOnlyCollection<string> _names;

    private FailIfCondition(FailIfExpression expression, IReadOnlyCollection<string> names) => (_expression, _names) = (expression, names);

    public string Text => _expression.Text;

    /// <param name="text">The expression.</param>
    /// <param name="option">Stands before each fault.</param>
    /// <param name="names">Of the numbers that a report of this kind can have.</param>
    /// <exception cref="InputException">All that is wrong with it.</exception>
    public static FailIfCondition Parse(string text, string option, IReadOnlyCollection<string> names)
    {
        if (!FailIfExpression.TryParse(text, out var expression, out var fault))
            throw new InputException($"{option}: {fault}");
        var unknown = expression.UnknownNames(names);
        return unknown.Count == 0 ? new FailIfCondition(expression, names) : throw new InputException([.. unknown.Select(name => $"{option}: {name}")]);
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
