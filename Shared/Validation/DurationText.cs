namespace ScaleOut.Validation;

/// <summary>Parses and formats time spans of specs and conditions.</summary>
public static partial class DurationText
{
    /// <summary>
    /// <c>hh:mm:ss</c> below a day, with up to seven decimals, or a number with a unit of <see cref="MicrosecondsPerUnit"/>.
    /// </summary>
    public const string Pattern = @"^(([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,7})?|[0-9]{1,9}(\.[0-9]{1,7})?(us|ms|s|min))$";

    /// <summary>Units of time, such as the <c>ms</c> of <c>20ms</c>.</summary>
    public static IReadOnlyDictionary<string, double> MicrosecondsPerUnit { get; } = new Dictionary<string, double>(StringComparer.Ordinal)
    {
        ["us"] = 1, ["ms"] = 1_000, ["s"] = 1_000_000, ["min"] = 60_000_000,
    };

    public static TimeSpan? Parse(string text)
    {
        if (text.EndsWith('\n') || !Form().IsMatch(text))
            return null;
        if (text.Contains(':', StringComparison.Ordinal))
            return TimeSpan.Parse(text, CultureInfo.InvariantCulture);
        var digits = text.TrimEnd([.. "usmin"]);
        var number = double.Parse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);
        return TimeSpan.FromMicroseconds(number * MicrosecondsPerUnit[text[digits.Length..]]);
    }

    public static string Format(TimeSpan span) => span.ToString("c", CultureInfo.InvariantCulture);

    [GeneratedRegex(Pattern, RegexOptions.CultureInvariant)]
    private static partial Regex Form();
}
