using System.Text.RegularExpressions;

namespace ScaleOut.Analysis.Reports.FailIf;

/// <summary>
/// Units of the numbers in a condition, such as <c>10ms</c>, <c>2s</c> and <c>1%</c>. A number with a unit is converted to that of the name
/// that it is compared with; without one it is taken as it is.
/// </summary>
internal static partial class FailIfUnits
{
    private const string Time = "a time";
    private const string Share = "a share";

    private static readonly Dictionary<string, (string Kind, double Factor)> Units = new(
        DurationText.MicrosecondsPerUnit.Select(unit => KeyValuePair.Create(unit.Key, (Time, unit.Value))).Append(new("%", (Share, 1))),
        StringComparer.Ordinal);

    /// <summary>Length of the unit that stands at a place in a text; 0 when none does.</summary>
    public static int LengthAt(string text, int at) => UnitForm().Match(text, at).Length;

    /// <summary>An operand in the unit of the other side.</summary>
    /// <exception cref="FailIfSyntaxException">Its unit does not fit the other side.</exception>
    public static FailIfOperand Convert(FailIfOperand operand, FailIfOperand other)
    {
        if (operand.Unit is not { } unit)
            return operand;
        var (kind, factor) = Units[unit];
        if (other.Name is not { } name)
            throw new FailIfSyntaxException(operand.Position, $"a number with the unit '{unit}' is compared with a name");
        if (UnitOf(name) is var (nameKind, perUnit) && nameKind == kind)
            return operand with { Number = operand.Number * factor / perUnit, Unit = null };
        throw new FailIfSyntaxException(operand.Position, $"'{name}' is not {kind}, so '{unit}' does not fit it");
    }

    /// <summary>What a name measures, and its unit in microseconds or percent; null if it has neither.</summary>
    private static (string Kind, double Factor)? UnitOf(string name) =>
        LatencyName().IsMatch(name) ? (Time, 1_000)
        : name.EndsWith("Seconds", StringComparison.Ordinal) ? (Time, 1_000_000)
        : name.EndsWith("Share", StringComparison.Ordinal) || name.StartsWith("utilization.", StringComparison.Ordinal) ? (Share, 100)
        : null;

    [GeneratedRegex(@"\G(?:(?:us|ms|s|min)(?![A-Za-z0-9_])|%)", RegexOptions.CultureInvariant)]
    private static partial Regex UnitForm();

    [GeneratedRegex(@"^(?:p[0-9]+|mean|max)$|^latencyMs\.|Ms$", RegexOptions.CultureInvariant)]
    private static partial Regex LatencyName();
}
