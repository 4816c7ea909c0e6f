using ScaleOut.Analysis.Reports.FailIf;

namespace ScaleOut.Analysis.Limits;

/// <summary>
/// The condition under which a rate holds: that of the spec, and in any case that the rate is achieved, unless the spec's own condition
/// says how much of it is to be.
/// </summary>
public sealed class LimitCondition
{
    /// <summary>The condition of a spec that has none.</summary>
    public const string Default = "throttledShare<0.01 && errors==0";

    /// <summary>Name of the share of the asked rate that was achieved.</summary>
    public const string AchievedShare = "achievedShare";

    /// <summary>Name of the attempts that ended in anything but success, 409 or 429.</summary>
    public const string Errors = "errors";

    /// <summary>What must hold besides, unless a condition names the share.</summary>
    public const string Achieved = AchievedShare + ">=0.95";

    private readonly FailIfExpression _expression;

    private LimitCondition(FailIfExpression expression) => _expression = expression;

    /// <summary>All that must hold.</summary>
    public string Text => _expression.Text;

    /// <summary>Parses the condition of a spec.</summary>
    /// <param name="until">Null for the default.</param>
    /// <returns>The condition, or what is wrong with it.</returns>
    public static (LimitCondition? Condition, IReadOnlyList<FailIfError> Errors) Parse(string? until)
    {
        if (!FailIfExpression.TryParse(until ?? Default, out var own, out var error))
            return (null, [error]);
        var unknown = own.UnknownNames(LimitNumbers.Names);
        if (unknown.Count > 0)
            return (null, unknown);
        if (own.Names(AchievedShare))
            return (new LimitCondition(own), []);
        var text = $"{Achieved} && {(until is null ? Default : $"({until})")}";
        return FailIfExpression.TryParse(text, out var whole, out error) ? (new LimitCondition(whole), []) : (null, [error]);
    }

    /// <summary>The condition of a valid spec.</summary>
    /// <exception cref="ArgumentException">It is none.</exception>
    public static LimitCondition From(LimitSpec spec)
    {
        var (condition, errors) = Parse(spec.Until);
        return condition ?? throw new ArgumentException(string.Join("; ", errors), nameof(spec));
    }

    /// <summary>Says whether a run held its rate, as far as its report says.</summary>
    /// <param name="run">Ended, with its rate.</param>
    /// <param name="report">Null when the run has none.</param>
    public MeasuredRun Judge(MeasuredRun run, RunReport? report)
    {
        if (report?.Throughput.Rate is null || report.TimeErrors.Count > 0)
            return run with { Reason = report is { Warnings: [var first, ..] } ? first : "The run has no rate." };
        var numbers = LimitNumbers.From(report, run.Rate!.Value);
        var unmet = _expression.Unmet(numbers);
        if (unmet.Count == 0)
            return run with { Held = true, Reason = null };
        return run with
        {
            Held = false,
            Reason = string.Join("; ", unmet),
            NotMet = CauseOf([.. _expression.UnmetNames(numbers).Select(LimitNumbers.CauseOf)]),
        };
    }

    /// <summary>Of several causes the one that explains the others: who is throttled or gets errors is also late.</summary>
    private static LimitCause CauseOf(HashSet<LimitCause> causes)
    {
        foreach (var cause in (LimitCause[])[LimitCause.Throttling, LimitCause.Errors, LimitCause.Latency])
        {
            if (causes.Contains(cause))
                return cause;
        }

        return LimitCause.Condition;
    }
}
