namespace ScaleOut.Analysis.Reports.FailIf;

/// <summary>
/// A condition over a report's numbers that makes a run fail, such as <c>throttledShare>0.05</c> or <c>latencyMs.operation.p99>=50 ||
/// documents.failed>0</c>. Comparisons are <c>&gt; &gt;= &lt; &lt;= == !=</c>; <c>&amp;&amp;</c> binds before <c>||</c>; parentheses group.
/// A comparison with a number that the report does not have (null) is false. A number may have the unit us, ms, s, min or %, such as
/// <c>10ms</c>; without one it has that of the name. Names and units may be written in any letter case. A name that is yes or no needs no
/// comparison: <c>!valid</c>.
/// </summary>
public sealed class FailIfExpression
{
    private const int NamesInMessage = 3;

    private readonly FailIfNode _condition;
    private readonly IReadOnlyList<FailIfOperand> _operands;
    private readonly IReadOnlyCollection<string> _known;

    private FailIfExpression(string text, FailIfParser parser, IReadOnlyCollection<string> known) =>
        (Text, _condition, _operands, _known) = (text, parser.Parse(), parser.Operands, known);

    /// <summary>The condition's text, as it was given.</summary>
    public string Text { get; }

    /// <summary>Parses a condition; its names are checked by <see cref="UnknownNames"/>.</summary>
    /// <param name="names">Known names, which the condition may write in any letter case. If null, names are case-sensitive.</param>
    /// <returns>The condition, or its first error.</returns>
    public static ReadResult<FailIfExpression> Parse(string text, IReadOnlyCollection<string>? names = null)
    {
        try
        {
            return new(new FailIfExpression(text, new FailIfParser(text, names ?? []), names ?? []), []);
        }
        catch (FailIfSyntaxException syntax)
        {
            return new(null, [syntax.Error]);
        }
    }

    /// <summary>Parses a condition, and checks its names and that it is not always or never true.</summary>
    /// <param name="names">As for <see cref="Parse"/>. If null, names are not checked.</param>
    /// <returns>The condition, or all its errors.</returns>
    public static ReadResult<FailIfExpression> Check(string text, IReadOnlyCollection<string>? names)
    {
        var reading = Parse(text, names);
        if (reading.Value is not { } condition)
            return reading;
        IReadOnlyList<ValidationError> errors = [.. names is null ? [] : condition.UnknownNames(names), .. condition.Constants()];
        return errors.Count == 0 ? reading : new(null, errors);
    }

    /// <summary>Errors for the names that are not known. The messages suggest the nearest known names.</summary>
    public IReadOnlyList<ValidationError> UnknownNames(IReadOnlyCollection<string> known) =>
    [
        .. _operands.Where(operand => operand.Name is not null && !known.Contains(operand.Name))
            .Select(operand => FailIfSyntaxException.ErrorAt(
                operand.Position, $"unknown name '{operand.Name}'{Suggestion(operand.Name!, known)}")),
    ];

    /// <summary>
    /// Errors for comparisons that are always or never true. If there are none, an error for the whole condition if it is always or never
    /// true.
    /// </summary>
    public IReadOnlyList<ValidationError> Constants() => ConditionCheck.ConstantsIn(_condition);

    internal IEnumerable<NumberComparison> Comparisons =>
        ConditionCheck.ComparisonsIn(_condition).Select(NumberComparison.From).OfType<NumberComparison>();

    /// <param name="values">Numbers by their path in the report. Those that the run does not have are null or missing.</param>
    /// <exception cref="ArgumentException">A name is neither known nor among the values.</exception>
    public bool Holds(IReadOnlyDictionary<string, double?> values) => Decide(values, _ => null) == true;

    /// <summary>Whether the condition holds; null if that depends on numbers that are not valid.</summary>
    /// <param name="openIn">Gives the interval of a number that is not valid, by the number's name; null for a valid one.</param>
    /// <inheritdoc cref="Holds"/>
    public bool? Decide(IReadOnlyDictionary<string, double?> values, Func<string, Interval?> openIn)
    {
        var unknown = UnknownNames([.. _known, .. values.Keys]);
        if (unknown.Count > 0)
            throw new ArgumentException(string.Join("; ", unknown), nameof(values));
        return _condition.Decide(values, openIn);
    }

    /// <summary>The verdict on the condition that was kept with a job's start: whether the job fails although it is complete.</summary>
    /// <param name="condition">Null if none was kept.</param>
    /// <param name="openIn">As for <see cref="Decide"/>; null if all numbers are valid.</param>
    /// <returns>Null if there is no condition, the job is not complete, or the verdict depends on numbers that are not valid.</returns>
    public static bool? VerdictOn(
        string? condition, bool isComplete, Func<IReadOnlyDictionary<string, double?>> values, Func<string, Interval?>? openIn = null) =>
        condition is not null && isComplete && values() is var all
            ? Parse(condition, [.. all.Keys]).Value?.Decide(all, openIn ?? (_ => null))
            : null;

    /// <summary>Whether the condition names a number.</summary>
    public bool Names(string name) => _operands.Any(operand => operand.Name == name);

    /// <summary>The names of the condition with their values, such as <c>p99 is 12.3 ms, errors is not measured</c>.</summary>
    /// <param name="values">As for <see cref="Holds"/>.</param>
    public string Describe(IReadOnlyDictionary<string, double?> values) => string.Join(
        ", ", _operands.Select(operand => operand.Name).OfType<string>().Distinct()
            .Select(name => $"{name} is {Describe(values.GetValueOrDefault(name), ConditionName.From(name).Unit)}"));

    /// <summary>The comparisons that keep a condition from holding; empty when it holds.</summary>
    /// <param name="values">As for <see cref="Holds"/>.</param>
    internal IReadOnlyList<FailIfNode.Compare> Unmet(IReadOnlyDictionary<string, double?> values) =>
        Holds(values) ? [] : [.. _condition.Unmet(values)];

    /// <summary>Names that must stay below a number for the condition to hold, with that number.</summary>
    /// <remarks>A part that is joined by <c>||</c> need not hold, so its bounds are left out.</remarks>
    public IReadOnlyList<(string Name, double Bound)> UpperBounds =>
    [
        .. ConditionCheck.NeededIn(_condition).Select(NumberComparison.From).OfType<NumberComparison>()
            .Where(one => one.Comparison is FailIfComparison.Less or FailIfComparison.LessOrEqual).Select(one => (one.Name, one.Number)),
    ];

    private static string Describe(double? value, ConditionUnit unit) => (value, unit) switch
    {
        (null or double.NaN, _) => "not measured",
        (_, ConditionUnit.Milliseconds) => $"{Numbers.Brief(value)} ms",
        (_, ConditionUnit.Seconds) => $"{Numbers.Brief(value)} s",
        (_, ConditionUnit.Share) => $"{Numbers.Brief(value * 100)}%",
        (_, ConditionUnit.Flag) => value == 1 ? "true" : "false",
        _ => Numbers.Brief(value),
    };

    private static string Suggestion(string name, IReadOnlyCollection<string> known)
    {
        var near = NearestName.AllOf(name, known, NamesInMessage);
        if (near.Count == 0)
        {
            // The name may be only the last part of a path, such as p99.
            near =
            [
                .. known.Where(path => path.EndsWith("." + name, StringComparison.OrdinalIgnoreCase)).Order(StringComparer.Ordinal)
                    .Take(NamesInMessage)
            ];
        }

        return near.Count == 0 ? "" : $"; did you mean {string.Join(" or ", near)}?";
    }
}

/// <summary>How two numbers are compared.</summary>
internal enum FailIfComparison
{
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
}

/// <summary>A part of a parsed condition.</summary>
internal abstract record FailIfNode
{
    public bool Holds(IReadOnlyDictionary<string, double?> values) => Decide(values, _ => null) == true;

    /// <summary>Whether the part holds; null if that depends on numbers that are not valid.</summary>
    public abstract bool? Decide(IReadOnlyDictionary<string, double?> values, Func<string, Interval?> openIn);

    /// <summary>The false comparisons of a part that does not hold.</summary>
    public abstract IEnumerable<Compare> Unmet(IReadOnlyDictionary<string, double?> values);

    /// <param name="IsAnd">Whether both parts must hold; otherwise one of them.</param>
    internal sealed record Join(FailIfNode Left, FailIfNode Right, bool IsAnd) : FailIfNode
    {
        public override bool? Decide(IReadOnlyDictionary<string, double?> values, Func<string, Interval?> openIn)
        {
            var (left, right) = (Left.Decide(values, openIn), Right.Decide(values, openIn));
            return IsAnd ? left & right : left | right;
        }

        public override IEnumerable<Compare> Unmet(IReadOnlyDictionary<string, double?> values) =>
            ((FailIfNode[])[Left, Right]).Where(part => !part.Holds(values)).SelectMany(part => part.Unmet(values));
    }

    internal sealed record Compare(FailIfOperand Left, FailIfComparison Comparison, FailIfOperand Right, string Text) : FailIfNode
    {
        /// <summary>The names on its two sides.</summary>
        public IEnumerable<string> Names => ((string?[])[Left.Name, Right.Name]).OfType<string>();

        public override IEnumerable<Compare> Unmet(IReadOnlyDictionary<string, double?> values) => [this];

        public override bool? Decide(IReadOnlyDictionary<string, double?> values, Func<string, Interval?> openIn)
        {
            // A comparison with a number that the run does not have is false, also for !=.
            if (Left.RangeIn(values, openIn) is not { } left || Right.RangeIn(values, openIn) is not { } right)
                return false;
            return Comparison switch
            {
                FailIfComparison.Greater => IsAbove(left, right),
                FailIfComparison.GreaterOrEqual => !IsAbove(right, left),
                FailIfComparison.Less => IsAbove(right, left),
                FailIfComparison.LessOrEqual => !IsAbove(left, right),
                FailIfComparison.Equal => AreEqual(left, right),
                FailIfComparison.NotEqual => !AreEqual(left, right),
                _ => throw new InvalidOperationException($"no such comparison: {Comparison}"),
            };

            static bool? IsAbove(Interval one, Interval other) => one.LiesAbove(other.High) ? true : one.High <= other.Low ? false : null;

            static bool? AreEqual(Interval one, Interval other) => one.LiesAbove(other.High) || one.LiesBelow(other.Low) ? false
                : one == other && one.Low == one.High ? true : null;
        }
    }
}

/// <summary>One side of a comparison: a name, or a number.</summary>
/// <param name="Name">Null for a number.</param>
/// <param name="Position">Where it stands, from 1.</param>
/// <param name="Text">As it was written, with the unit.</param>
internal sealed record FailIfOperand(string? Name, double Number, int Position, string Text)
{
    /// <summary>Unit of a number that is not converted yet; null when it has none.</summary>
    public string? Unit { get; init; }

    /// <summary>The values that the operand can have; null if it has none.</summary>
    public Interval? RangeIn(IReadOnlyDictionary<string, double?> values, Func<string, Interval?> openIn) =>
        Name is not null && openIn(Name) is { } open ? open
            : (Name is null ? Number : values.GetValueOrDefault(Name)) is { } value && !double.IsNaN(value) ? new Interval(value, value)
            : null;
}

/// <summary>Carries the first error of a text out of the parser; never leaves <see cref="FailIfExpression"/>.</summary>
/// <param name="position">Character at which the error begins, from 1.</param>
internal sealed class FailIfSyntaxException(int position, string message) : Exception(message)
{
    public ValidationError Error => ErrorAt(position, Message);

    public static ValidationError ErrorAt(int position, string message) =>
        new($"position {position}", message, BeyondSchema: true);
}
