namespace ScaleOut.DevBox.Commands;

/// <summary>Parses the durations of <c>size</c>, such as hours and days.</summary>
internal static partial class SizeTimes
{
    /// <summary>Reads a time such as <c>30d</c>, <c>8h</c>, <c>10m</c> or <c>90s</c>; null if the text is none.</summary>
    public static TimeSpan? Parse(string text)
    {
        if (Form().Match(text) is not { Success: true } match)
            return null;
        var number = double.Parse(match.Groups["number"].ValueSpan, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);
        return match.Groups["unit"].ValueSpan switch
        {
            "d" => TimeSpan.FromDays(number),
            "h" => TimeSpan.FromHours(number),
            "m" or "min" => TimeSpan.FromMinutes(number),
            _ => TimeSpan.FromSeconds(number),
        };
    }

    /// <summary>The time that an option gives; null without it.</summary>
    /// <exception cref="InputException">The text is no time, or too long.</exception>
    public static TimeSpan? Read(string option, string? text, TimeSpan most)
    {
        if (text is null)
            return null;
        return Parse(text) is { } time && time > TimeSpan.Zero && time <= most
            ? time
            : throw new InputException(
                option, $"'{text}' is not a time above 0 and up to {Numbers.About(most.TotalSeconds)}, such as 90s, 10m or 8h.");
    }

    [GeneratedRegex("^(?<number>[0-9]{1,6}(?:\\.[0-9]{1,4})?)(?<unit>d|h|min|m|s)$", RegexOptions.CultureInvariant)]
    private static partial Regex Form();
}
