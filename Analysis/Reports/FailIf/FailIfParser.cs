namespace ScaleOut.Analysis.Reports.FailIf;

/// <summary>
/// Parses conditions by recursive descent: <c>or := and ('||' and)*</c>, <c>and := atom ('&amp;&amp;' atom)*</c>, <c>atom := '(' or ')' |
/// '!'? flag | operand comparison operand</c>. A flag is a name whose number is 1 for yes and 0 for no.
/// </summary>
/// <param name="text">The condition.</param>
/// <param name="names">Known names, which may be written in any letter case. Other names stay as they are written.</param>
internal sealed partial class FailIfParser(string text, IReadOnlyCollection<string> names)
{
    private const int MaxNesting = 100;

    /// <summary>Smallest and largest number, in the unit of the figure that it is compared with.</summary>
    private const double MinNumber = 1e-9;
    private const double MaxNumber = 1e15;

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
            left = new FailIfNode.Join(left, And(), IsAnd: false);
        return left;
    }

    private FailIfNode And()
    {
        var left = Atom();
        while (Take("&&"))
            left = new FailIfNode.Join(left, Atom(), IsAnd: true);
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
        var isNegated = Take("!");
        var left = Operand();
        if (isNegated && !IsFlag(left))
            throw new FailIfSyntaxException(
                left.Position, $"only a name that is yes or no, such as {ReportNumbers.Valid}, stands after '!'");
        if (IsFlag(left) && (isNegated || !IsComparisonNext()))
        {
            var flag = text[start.._at].Trim();
            return new FailIfNode.Compare(
                left, FailIfComparison.Equal, new FailIfOperand(null, isNegated ? 0 : 1, left.Position, isNegated ? "0" : "1"), flag);
        }

        var (comparison, right) = (Comparison(), Operand());
        return new FailIfNode.Compare(
            Bounded(FailIfUnits.Convert(left, right)), comparison, Bounded(FailIfUnits.Convert(right, left)), text[start.._at].Trim());
    }

    /// <summary>An operand whose number, in the unit of the other side, is one that a figure can have.</summary>
    /// <exception cref="FailIfSyntaxException">It is smaller or larger.</exception>
    private static FailIfOperand Bounded(FailIfOperand operand) => Math.Abs(operand.Number) is 0 or (>= MinNumber and <= MaxNumber)
        ? operand
        : throw new FailIfSyntaxException(
            operand.Position, $"{operand.Text} is out of range: 0, or {MinNumber:0e0} to {MaxNumber:0e0}");

    private static bool IsFlag(FailIfOperand operand) =>
        operand.Name is { } name && ConditionName.From(name).Unit == ConditionUnit.Flag;

    private bool IsComparisonNext()
    {
        SkipSpace();
        return _at < text.Length && (text[_at] is '<' or '>' or '=' or '!');
    }

    private FailIfComparison Comparison()
    {
        // The longer ones first: > is the beginning of >=.
        foreach (var (index, symbol) in NumberComparison.Symbols.Index().OrderByDescending(one => one.Item.Length))
        {
            if (Take(symbol))
                return (FailIfComparison)index;
        }

        throw Unexpected($"expected {Comparisons}");
    }

    private FailIfOperand Operand()
    {
        SkipSpace();
        var position = _at + 1;
        if (NameForm().Match(text, _at) is { Success: true } name)
            return Add(new FailIfOperand(KnownAs(name.Value), 0, position, name.Value), name.Length);
        if (NumberForm().Match(text, _at) is { Success: true } number)
            return AddNumber(number, position);
        throw Unexpected("expected a name such as throttledShare, or a number");
    }

    private FailIfOperand AddNumber(Match number, int position)
    {
        var value = double.Parse(number.ValueSpan, NumberStyles.Float, CultureInfo.InvariantCulture);
        var end = _at + number.Length;
        var unit = FailIfUnits.LengthAt(text, end);
        return Add(
            new FailIfOperand(null, value, position, text.Substring(_at, number.Length + unit))
            {
                Unit = unit == 0 ? null : text.Substring(end, unit).TrimStart().ToLowerInvariant(),
            },
            number.Length + unit);
    }

    private string KnownAs(string name) => names.Contains(name)
        ? name
        : names.FirstOrDefault(known => string.Equals(known, name, StringComparison.OrdinalIgnoreCase)) ?? name;

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
