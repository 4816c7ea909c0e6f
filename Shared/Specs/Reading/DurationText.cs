using System.Globalization;
using System.Text.RegularExpressions;

namespace ScaleOut.Specs.Reading;

/// <summary>Time spans as plans write them.</summary>
public static partial class DurationText
{
    /// <summary><c>hh:mm:ss</c> below a day, with up to seven decimals.</summary>
    public const string Pattern = @"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,7})?$";

    public static TimeSpan? Parse(string text) =>
        !text.EndsWith('\n') && Form().IsMatch(text) ? TimeSpan.Parse(text, CultureInfo.InvariantCulture) : null;

    public static string Format(TimeSpan span) => span.ToString("c", CultureInfo.InvariantCulture);

    [GeneratedRegex(Pattern, RegexOptions.CultureInvariant)]
    private static partial Regex Form();
}
