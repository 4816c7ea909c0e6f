using System.Diagnostics.CodeAnalysis;
using ScaleOut.Specs.Reading;

namespace ScaleOut.Reports;

/// <summary>
/// A condition over a report's numbers that makes a run fail, such as <c>throttledShare>0.05</c> or <c>latencyMs.operation.p99>=50 || documents.failed>0</c>.
/// Comparisons are <c>&gt; &gt;= &lt; &lt;= == !=</c>; <c>&amp;&amp;</c> binds before <c>||</c>; parentheses group. A comparison with a number that the report does not have (null) is false.
/// </summary>
public sealed class FailIfExpression
{
    private const int NamesInMessage = 3;

    private readonly FailIfNode _condition;
    private readonly IReadOnlyList<FailIfOperand> _operands;

    private FailIfExpression(string text, FailIfNode condition, IReadOnlyList<FailIfOperand> operands) =>
        (Text, _condition, _operands) = (text, condition, operands);

    /// <summary>As it was given.</summary>
    public string Text { get; }

    /// <summary>Parses a condition; its names are checked by <see cref="UnknownNames"/>.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out FailIfExpression? expression, [NotNullWhen(false)] out FailIfFault? fault)
    {
        ArgumentNullException.ThrowIfNull(text);
        try
        {
            var parser = new FailIfParser(text);
            expression = new FailIfExpression(text, parser.Parse(), parser.Operands);
            fault = null;
            return true;
        }
        catch (FailIfSyntaxException syntax)
        {
            expression = null;
            fault = syntax.Fault;
            return false;
        }
    }

    /// <summary>Names that are none of those known, with the nearest ones in the message.</summary>
    public IReadOnlyList<FailIfFault> UnknownNames(IReadOnlyCollection<string> known) =>
    [
        .. _operands.Where(operand => operand.Name is not null && !known.Contains(operand.Name))
            .Select(operand => new FailIfFault(operand.Position, $"unknown name '{operand.Name}'{Suggestion(operand.Name!, known)}")),
    ];

    /// <summary>Whether the condition holds.</summary>
    /// <param name="values">Numbers by their path in the report; null for those that the run does not have.</param>
    /// <exception cref="ArgumentException">A name is not among the values.</exception>
    public bool Holds(IReadOnlyDictionary<string, double?> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        var unknown = UnknownNames([.. values.Keys]);
        if (unknown.Count > 0)
            throw new ArgumentException(string.Join("; ", unknown), nameof(values));
        return _condition.Holds(values);
    }

    private static string Suggestion(string name, IReadOnlyCollection<string> known)
    {
        var near = NearestName.AllOf(name, known, NamesInMessage);
        if (near.Count == 0)
        {
            // Perhaps only the last part of a path, such as p99.
            near = [.. known.Where(path => path.EndsWith("." + name, StringComparison.OrdinalIgnoreCase)).Order(StringComparer.Ordinal).Take(NamesInMessage)];
        }

        return near.Count == 0 ? "" : $"; did you mean {string.Join(" or ", near)}?";
    }
}
