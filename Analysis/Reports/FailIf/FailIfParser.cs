using System.Text.RegularExpressions;

namespace ScaleOut.Analysis.Reports.FailIf;

/// <summary>
/// Parses conditions by recursive descent: <c>or := and ('||' and)*</c>, <c>and := atom ('&amp;&amp;' atom)*</c>, <c>atom := '(' or ')' |
/// operand comparison operand</c>.
/// </summary>
internal sealed partial class FailIfParser(string text)
{
    private const int MaxNesting = 100;
    private const string Comparisons = ">, >=, <, <=, == or !=";

    private readonly List<FailIfOperand> _operands = [];
    private int _at;
    private int _depth;

    /// <summary>All operands, in the order of the text.</summary>
    public IReadOnlyList<FailIfOperand> Operands => _operands;

    /// <exception cref="FailIfSyntaxException">The text is no condition.</exception>
    public FailIfNode Parse()
    {
        var condition = Or();
        SkipSpace();
        if (_at < text.Length)
            throw Unexpected(text[_at] == ')' ? "there is no '(' for this ')'" : "expected '&&', '||' or the end");
        return condition;
    }

    private FailIfNode Or()
    {
        var left = And();
        while (Take("||"))
            left = new FailIfNode.Or(left, And());
        return left;
    }

    private FailIfNode And()
    {
        var left = Atom();
        while (Take("&&"))
            left = new FailIfNode.And(left, Atom());
        return left;
    }

    private FailIfNode Atom()
    {
        if (!Take("("))
            return Compare();

        if (++_depth > MaxNesting)
            throw new FailIfSyntaxException(_at, $"more than {MaxNesting} parentheses within each other");
        var opened = _at;
        var inner = Or();
        if (!Take(")"))
            throw Unexpected($"expected ')' for the '(' at position {opened}");
        _depth--;
        return inner;
    }

    private FailIfNode.Compare Compare()
    {
        SkipSpace();
        var start = _at;
        var (left, comparison, right) = (Operand(), Comparison(), Operand());
        return new FailIfNode.Compare(
            FailIfUnits.Convert(left, right), comparison, FailIfUnits.Convert(right, left), text[start.._at].Trim());
    }

    private FailIfComparison Comparison()
    {
        if (Take(">="))
            return FailIfComparison.GreaterOrEqual;
        if (Take(">"))
            return FailIfComparison.Greater;
        if (Take("<="))
            return FailIfComparison.LessOrEqual;
        if (Take("<"))
            return FailIfComparison.Less;
        if (Take("=="))
            return FailIfComparison.Equal;
        if (Take("!="))
            return FailIfComparison.NotEqual;
        throw Unexpected($"expected {Comparisons}");
    }

    private FailIfOperand Operand()
    {
        SkipSpace();
        var position = _at + 1;
        if (NameForm().Match(text, _at) is { Success: true } name)
            return Add(new FailIfOperand(name.Value, 0, position), name.Length);
        if (NumberForm().Match(text, _at) is { Success: true } number)
            return AddNumber(number, position);
        throw Unexpected("expected a name such as throttledShare, or a number");
    }

    private FailIfOperand AddNumber(Match number, int position)
    {
        var value = double.Parse(number.ValueSpan, NumberStyles.Float, CultureInfo.InvariantCulture);
        var end = _at + number.Length;
        var unit = FailIfUnits.LengthAt(text, end);
        return Add(new FailIfOperand(null, value, position, unit == 0 ? null : text.Substring(end, unit)), number.Length + unit);
    }

    private FailIfOperand Add(FailIfOperand operand, int length)
    {
        _operands.Add(operand);
        _at += length;
        return operand;
    }

    private bool Take(string symbol)
    {
        SkipSpace();
        if (string.CompareOrdinal(text, _at, symbol, 0, symbol.Length) != 0)
            return false;
        _at += symbol.Length;
        return true;
    }

    private void SkipSpace()
    {
        while (_at < text.Length && char.IsWhiteSpace(text[_at]))
            _at++;
    }

    private FailIfSyntaxException Unexpected(string expectation)
    {
        SkipSpace();
        var found = _at < text.Length ? ErrorText.Quote(text[_at..Math.Min(text.Length, _at + 12)]) : "the end";
        return new FailIfSyntaxException(_at + 1, $"{expectation}, found {found}");
    }

    [GeneratedRegex(@"\G[A-Za-z_][A-Za-z0-9_]*(?:\[[0-9]+\]|\.[A-Za-z0-9_]+)*", RegexOptions.CultureInvariant)]
    private static partial Regex NameForm();

    [GeneratedRegex(@"\G-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", RegexOptions.CultureInvariant)]
    private static partial Regex NumberForm();
}
