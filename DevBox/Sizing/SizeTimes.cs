namespace ScaleOut.DevBox.Sizing;

/// <summary>Parses and formats the durations of <c>size</c>, such as hours and days.</summary>
internal static partial class SizeTimes
{
    private const double MinutesAsMinutes = 180;
    private const double HoursAsHours = 72;

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
                $"{option}: '{text}' is not a time above 0 and up to {About(most.TotalSeconds)}, such as 90s, 10m or 8h.");
    }

    /// <summary>About how long something takes, such as <c>93 minutes</c> or <c>5.2 days</c>.</summary>
    public static string About(double seconds) => seconds switch
    {
        < 90 => Named(seconds, "second"),
        >= 86_400 when seconds % 86_400 == 0 => Named(seconds / 86_400, "day"),
        >= 3_600 when seconds % 3_600 == 0 => Named(seconds / 3_600, "hour"),
        < MinutesAsMinutes * 60 => Named(seconds / 60, "minute"),
        < HoursAsHours * 3_600 => Named(seconds / 3_600, "hour"),
        _ => Named(seconds / 86_400, "day"),
    };

    private static string Named(double count, string unit)
    {
        var text = Numbers.Brief(count >= 10 ? Math.Round(count) : Math.Round(count, 1));
        return $"{text} {unit}{(text == "1" ? "" : "s")}";
    }

    [GeneratedRegex("^(?<number>[0-9]{1,6}(?:\\.[0-9]{1,4})?)(?<unit>d|h|min|m|s)$", RegexOptions.CultureInvariant)]
    private static partial Regex Form();
}
