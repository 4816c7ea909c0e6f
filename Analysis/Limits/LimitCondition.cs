namespace ScaleOut.Analysis.Limits;

/// <summary>
/// The condition under which a rate holds: the spec's condition, and that the rate is achieved. The second part is left out if the spec's
/// condition itself names the achieved share.
/// </summary>
public sealed class LimitCondition
{
    /// <summary>Largest number of figures that a run carries, so that many runs fit one payload.</summary>
    private const int MaxFigures = 3;

    private readonly FailIfExpression _expression;

    private LimitCondition(FailIfExpression expression) => _expression = expression;

    public string Text => _expression.Text;

    /// <param name="until">Null for the default.</param>
    /// <param name="names">The numbers that it may name; null for those of a run.</param>
    /// <returns>The condition, or its errors.</returns>
    public static ReadResult<LimitCondition> Parse(string? until, IReadOnlyCollection<string>? names = null)
    {
        names ??= LimitNumbers.Names;
        var own = FailIfExpression.Parse(until ?? LimitSpec.DefaultUntil, names);
        if (own.Value is not { } expression)
            return new(null, own.Errors);
        IReadOnlyList<ValidationError> errors =
        [
            .. expression.UnknownNames(names), .. expression.Constants(),
            .. expression.Comparisons.Select(WrongWayOf).OfType<ValidationError>(),
        ];
        return errors.Count > 0 ? new(null, errors) : Whole(until, expression, names);
    }

    /// <exception cref="ArgumentException">The spec's condition cannot be parsed.</exception>
    public static LimitCondition From(LimitSpec spec)
    {
        // A search that was started by an earlier version may have a condition that is an error now, and still has a report.
        var own = FailIfExpression.Parse(spec.Until ?? LimitSpec.DefaultUntil, LimitNumbers.Names);
        var reading = own.Value is { } expression ? Whole(spec.Until, expression, LimitNumbers.Names) : new(null, own.Errors);
        return reading.Value ?? throw new ArgumentException(string.Join("; ", reading.Errors), nameof(spec));
    }

    private static ReadResult<LimitCondition> Whole(string? until, FailIfExpression expression, IReadOnlyCollection<string> names)
    {
        if (expression.Names(LimitSpec.AchievedShare))
            return new(new LimitCondition(expression), []);
        var own = until is null ? LimitSpec.DefaultUntil : $"({until})";
        var whole = FailIfExpression.Parse($"{LimitSpec.Achieved} && {own}", names);
        return new(whole.Value is null ? null : new LimitCondition(whole.Value), whole.Errors);
    }

    /// <summary>An error for a comparison that a higher rate makes true, such as a p99 above a bound; null for others.</summary>
    private static ValidationError? WrongWayOf(NumberComparison one)
    {
        var grows = ConditionName.From(one.Name).Cause is not LimitCause.Condition;
        FailIfComparison? meant = one.Comparison switch
        {
            FailIfComparison.Greater or FailIfComparison.GreaterOrEqual when grows => FailIfComparison.Less,
            FailIfComparison.Less or FailIfComparison.LessOrEqual when one.Name == LimitSpec.AchievedShare =>
                FailIfComparison.GreaterOrEqual,
            _ => null,
        };
        return meant is { } comparison
            ? FailIfSyntaxException.ErrorAt(
                one.Position,
                $"a rate holds while the condition does, so '{one}' asks for the opposite of what it bounds; did you mean "
                    + $"{one with { Comparison = comparison }}?")
            : null;
    }

    /// <summary>
    /// The comparisons that numbers of a whole fleet do not meet, with these numbers, such as <c>p99 is up to 21 ms, not &lt;20ms</c>;
    /// empty if the condition holds.
    /// </summary>
    public IReadOnlyList<string> DescribeUnmet(IReadOnlyDictionary<string, double?> numbers) =>
    [
        .. _expression.Unmet(numbers).Select(unmet =>
            NumberComparison.From(unmet) is { } one && numbers[one.Name] is { } value
                ? $"{one.Name} is up to {TextOf(value, ConditionName.From(one.Name).Unit)}, not {one.Bound}"
                : $"not {unmet.Text}"),
    ];

    private static string TextOf(double value, ConditionUnit unit) => unit switch
    {
        ConditionUnit.Share => Numbers.Percent(value),
        ConditionUnit.Milliseconds => $"{Numbers.Brief(value)} ms",
        _ => Numbers.Brief(value),
    };

    /// <summary>Its upper bounds for latencies, ms.</summary>
    internal IEnumerable<(string Name, double Bound)> LatencyBounds =>
        _expression.UpperBounds.Where(one => ConditionName.From(one.Name).Cause == LimitCause.Latency);

    /// <summary>The lowest bound that it has for a latency, ms; null if it has none.</summary>
    public double? LatencyBoundMs => LatencyBounds.Select(one => (double?)one.Bound).Min();

    /// <summary>Decides from a run's report whether the run held its rate. A run on a full machine decides nothing.</summary>
    /// <param name="run">Ended, with its rate.</param>
    /// <param name="report">Null when the run has none.</param>
    public MeasuredRun Judge(MeasuredRun run, RunReport? report)
    {
        if (report?.Throughput.Rate is null || report.TimeErrors.Count > 0)
            return run with { Reason = report is { Warnings: [var first, ..] } ? first : "The run has no rate." };
        if (RunFigures.From(report).WhyLeftOut is { } why)
            return run with { Reason = why };
        var numbers = LimitNumbers.From(report, run.Rate!.Value);
        if (WhyFull(report, numbers) is { } full)
            return run with { Reason = full, OnFullMachine = true };
        var unmet = _expression.Unmet(numbers);
        run = run with { Figures = FiguresOf(numbers) };
        if (unmet.Count == 0)
            return run with { Held = true, Reason = null };
        return run with
        {
            Held = false,
            Reason = string.Join("; ", unmet.Select(one => one.Text)),
            NotMet = CauseOf([.. unmet.SelectMany(one => one.Names).Select(name => ConditionName.From(name).Cause)]),
        };
    }

    /// <summary>Why the machine, and not the rate, decided a run's outcome; null if it did not.</summary>
    private string? WhyFull(RunReport report, IReadOnlyDictionary<string, double?> numbers)
    {
        var figures = RunFigures.From(report);
        var effect = figures.RateSpoiledBy;
        if (BoundsLatency)
            effect ??= figures.LatencySpoiledBy is { } ofLatency and not MachineEffect.Waits ? ofLatency
                // On a full machine latencies are the machine's, whatever else bound the run.
                : figures.OnSaturatedMachine ? MachineEffect.FullMachine
                : figures.Waited && Decides(report, numbers) ? MachineEffect.Waits : null;
        return effect is { } one ? Validity.Text(one, figures.MachineShare) : null;
    }

    /// <summary>Whether the condition would hold without the machine's part of the latencies, and does not hold with it.</summary>
    private bool Decides(RunReport report, IReadOnlyDictionary<string, double?> numbers) =>
        !_expression.Holds(numbers) && _expression.Holds(numbers.ToDictionary(
            one => one.Key,
            one => ConditionName.From(one.Key).Cause == LimitCause.Latency
                ? one.Value - (Validity.WaitMs(report, one.Key) ?? 0)
                : one.Value));

    private bool BoundsLatency => LatencyBounds.Any();

    private List<BoundedFigure>? FiguresOf(IReadOnlyDictionary<string, double?> numbers)
    {
        var figures = _expression.UpperBounds
            .Where(one => one.Bound > 0 && ConditionName.From(one.Name).Cause is not LimitCause.Condition && numbers[one.Name] is not null)
            .Select(one => new BoundedFigure(
                one.Name, numbers[one.Name]!.Value, one.Bound, MayBeZero: ConditionName.From(one.Name).Cause != LimitCause.Latency))
            .Take(MaxFigures).ToList();
        return figures.Count > 0 ? figures : null;
    }

    /// <summary>Chooses the cause that explains the others: operations that are throttled or get errors are also late.</summary>
    private static LimitCause CauseOf(HashSet<LimitCause> causes) =>
        ((LimitCause[])[LimitCause.Throttling, LimitCause.Errors, LimitCause.Latency])
            .FirstOrDefault(causes.Contains, LimitCause.Condition);
}
