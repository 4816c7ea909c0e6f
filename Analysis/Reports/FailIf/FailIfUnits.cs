namespace ScaleOut.Analysis.Reports.FailIf;

/// <summary>
/// Units of the numbers in a condition, such as <c>10ms</c>, <c>2 s</c> and <c>1%</c>. A number with a unit is converted to that of the
/// name that it is compared with; without one it is taken as it is.
/// </summary>
internal static partial class FailIfUnits
{
    private const double MicrosecondsPerMillisecond = 1_000;
    private const double MicrosecondsPerSecond = 1_000_000;

    /// <summary>Length of the unit at a position in a text, including the space before it; 0 if there is no unit.</summary>
    public static int LengthAt(string text, int at) => UnitForm().Match(text, at).Length;

    /// <summary>An operand in the unit of the other side.</summary>
    /// <exception cref="FailIfSyntaxException">Its unit does not fit the other side.</exception>
    public static FailIfOperand Convert(FailIfOperand operand, FailIfOperand other)
    {
        if (operand.Unit is not { } unit)
            return operand;
        if (other.Name is not { } name)
            throw new FailIfSyntaxException(operand.Position, $"the unit '{unit}' is allowed only beside a name, as in p99<20ms");
        var ofName = ConditionName.From(name).Unit;
        if (!DurationText.MicrosecondsPerUnit.TryGetValue(unit, out var microseconds))
            return ofName == ConditionUnit.Share
                ? operand with { Number = operand.Number / 100, Unit = null }
                : throw new FailIfSyntaxException(operand.Position, $"'{name}' is not a share, so '{unit}' does not fit it");
        return ofName switch
        {
            ConditionUnit.Milliseconds => operand with { Number = operand.Number * microseconds / MicrosecondsPerMillisecond, Unit = null },
            ConditionUnit.Seconds => operand with { Number = operand.Number * microseconds / MicrosecondsPerSecond, Unit = null },
            _ => throw new FailIfSyntaxException(operand.Position, $"'{name}' is not a time, so '{unit}' does not fit it"),
        };
    }

    [GeneratedRegex(@"\G\s*(?:(?:us|ms|s|min)(?![A-Za-z0-9_])|%)", RegexOptions.CultureInvariant | RegexOptions.IgnoreCase)]
    private static partial Regex UnitForm();
}
