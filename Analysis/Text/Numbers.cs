namespace ScaleOut.Analysis.Text;

/// <summary>Formats numbers for people, the same in every form of a report and on every machine.</summary>
public static class Numbers
{
    /// <summary>Shown for a value that was not measured.</summary>
    public const string Unknown = "-";

    /// <summary>About 3,000 years.</summary>
    private const double LongestSeconds = 1e11;

    /// <summary>Decimals that a number has at most.</summary>
    private const int MaxDecimals = 12;

    private const double MinutesAsMinutes = 180;
    private const double HoursAsHours = 72;

    /// <summary>A whole number with thousands separated, such as <c>1,000,000</c>.</summary>
    public static string Count(long value) => value.ToString("#,0", CultureInfo.InvariantCulture);

    /// <inheritdoc cref="Count(long)"/>
    public static string Count(double value) => value.ToString("#,0", CultureInfo.InvariantCulture);

    /// <inheritdoc cref="Count(long)"/>
    public static string Count(long? value) => value is { } known ? Count(known) : Unknown;

    /// <summary>
    /// Three significant digits below 1,000, whole above, such as <c>0.0123</c>, <c>5.71</c>, <c>57.1</c> and <c>5,710</c>.
    /// </summary>
    public static string Brief(double? value)
    {
        if (value is not { } known || !double.IsFinite(known))
            return Unknown;
        if (known == 0)
            return "0";
        var decimals = 2 - (int)Math.Floor(Math.Log10(Math.Abs(known)));
        if (decimals <= 0)
            return Math.Round(known).ToString("#,0", CultureInfo.InvariantCulture);
        return decimals <= MaxDecimals
            ? known.ToString("0." + new string('#', decimals), CultureInfo.InvariantCulture)
            : known.ToString("0.##E-0", CultureInfo.InvariantCulture);
    }

    /// <summary>
    /// A share as a percentage, such as <c>5.3%</c> and <c>53%</c>. One that is not 0 does not read as 0, and one below 1 not as 100%.
    /// </summary>
    public static string Percent(double? share) => share switch
    {
        null => Unknown,
        > 0 and < 0.0005 => "<0.1%",
        >= 0.0005 and < 0.0995 => $"{share * 100:0.0}%",
        >= 0.995 and < 1 => ">99%",
        _ => $"{share * 100:0}%",
    };

    /// <summary>A share above a limit, with the digits that show the difference, such as <c>70.02%</c> for one above 70%.</summary>
    public static string PercentAbove(double share, double limit)
    {
        if (Percent(share) != Percent(limit))
            return Percent(share);
        var digits = Enumerable.Range(1, MaxDecimals).FirstOrDefault(count => Math.Round(share * 100, count) > limit * 100, MaxDecimals);
        return (share * 100).ToString("0." + new string('0', digits), CultureInfo.InvariantCulture) + "%";
    }

    /// <summary>A rate as it was asked for, with thousands separated and up to three decimals, such as <c>1,037.5</c>.</summary>
    public static string Rate(double rate) => rate.ToString("#,0.###", CultureInfo.InvariantCulture);

    /// <summary>A ratio with three significant digits, zeros at its end included, such as <c>1.20</c>.</summary>
    public static string Ratio(double value) => value.ToString(
        Math.Abs(value) >= 100 ? "#,0" : Math.Abs(value) >= 10 ? "0.0" : Math.Abs(value) >= 0.1 ? "0.00" : "0.0000",
        CultureInfo.InvariantCulture);

    /// <summary>The probability of a test, such as <c>0.034</c>.</summary>
    public static string Probability(double value) =>
        value < 0.0001 ? "below 0.0001" : value.ToString("0.0###", CultureInfo.InvariantCulture);

    /// <summary>An amount of money, such as <c>1,234.50 EUR</c>.</summary>
    public static string Money(double amount, string currency) =>
        $"{amount.ToString("#,0.00", CultureInfo.InvariantCulture)} {currency}";

    /// <summary>The lowest and the highest of some values, such as <c>5.1 to 7.3</c>.</summary>
    /// <param name="text">Formats one value.</param>
    public static string Range(IReadOnlyList<double> values, Func<double?, string> text)
    {
        if (values.Count == 0)
            return Unknown;
        var (low, high) = (text(values.Min()), text(values.Max()));
        return low == high ? low : $"{low} to {high}";
    }

    /// <inheritdoc cref="Duration(TimeSpan)"/>
    /// <param name="seconds">An estimate may be longer than a time span can be, and then counts as that long.</param>
    public static string Duration(double seconds) => Duration(TimeSpan.FromSeconds(Math.Min(seconds, LongestSeconds)));

    /// <summary>A time span in a sentence or table, such as <c>2 min 38 s</c>, <c>38.2 s</c> or <c>1 h 5 min</c>.</summary>
    public static string Duration(TimeSpan span)
    {
        if (Math.Round(span.TotalSeconds, 1) < 60)
            return Math.Max(0, span.TotalSeconds).ToString("0.0", CultureInfo.InvariantCulture) + " s";
        var whole = TimeSpan.FromSeconds(Math.Round(span.TotalSeconds));
        return whole < TimeSpan.FromHours(1)
            ? $"{whole.Minutes} min {whole.Seconds} s"
            : $"{(int)whole.TotalHours} h {whole.Minutes} min";
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
        var text = Brief(count >= 10 ? Math.Round(count) : Math.Round(count, 1));
        return $"{text} {unit}{(text == "1" ? "" : "s")}";
    }

    /// <summary>Time on a clock or an axis, such as <c>0:30</c>, or <c>1:05:00</c> from an hour on.</summary>
    /// <param name="whole">Length of the axis. If it is an hour or longer, each time on it has hours.</param>
    public static string Elapsed(double seconds, double whole = 0)
    {
        var time = (long)seconds;
        return Math.Max(seconds, whole) < 3_600
            ? $"{time / 60}:{time % 60:00}"
            : $"{time / 3_600}:{time / 60 % 60:00}:{time % 60:00}";
    }

    /// <summary>Memory in MiB or GiB.</summary>
    public static string Memory(long bytes) =>
        bytes < 1L << 30 ? $"{Brief(bytes / (double)(1 << 20))} MiB" : $"{Brief(bytes / (double)(1 << 30))} GiB";

    /// <summary>An instant, such as <c>2026-11-21 17:05:09 UTC</c>.</summary>
    public static string Instant(DateTimeOffset instant) =>
        instant.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture);
}
