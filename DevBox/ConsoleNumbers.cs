namespace ScaleOut.DevBox;

/// <summary>Formats numbers and times for people, the same on every machine.</summary>
internal static class ConsoleNumbers
{
    /// <summary>Such as <c>12,345</c>.</summary>
    public static string Count(double value) => value.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>Such as <c>4.25</c>, or <c>12,345</c> when it is large.</summary>
    public static string Decimal(double value) => value.ToString(Math.Abs(value) >= 100 ? "N0" : "0.##", CultureInfo.InvariantCulture);

    /// <summary>Such as <c>4.2 %</c>.</summary>
    public static string Percent(double share) => (share * 100).ToString("0.0", CultureInfo.InvariantCulture) + " %";

    /// <summary>Such as <c>46.5</c>, or <c>39,646 (11 h 0 min 46 s)</c> from an hour on.</summary>
    public static string Seconds(double seconds)
    {
        if (seconds < 3600)
            return Numbers.Brief(seconds);
        var whole = (long)Math.Round(seconds);
        return $"{Numbers.Count(whole)} ({Numbers.Count(whole / 3600)} h {whole / 60 % 60} min {whole % 60} s)";
    }

    /// <summary>Such as <c>0:07</c>, <c>12:07</c>, <c>3:12:07</c> or <c>2 d 03:12</c>.</summary>
    public static string Time(double? seconds) => Time(TimeSpan.FromSeconds(seconds ?? 0));

    /// <inheritdoc cref="Time(double?)"/>
    public static string Time(TimeSpan time) =>
        time.TotalDays >= 1 ? time.ToString(@"d\ \d\ hh\:mm", CultureInfo.InvariantCulture)
        : time.TotalHours >= 1 ? time.ToString(@"h\:mm\:ss", CultureInfo.InvariantCulture)
        : time.ToString(@"m\:ss", CultureInfo.InvariantCulture);
}
