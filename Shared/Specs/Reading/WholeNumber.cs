using System.Globalization;

namespace ScaleOut.Specs.Reading;

/// <summary>Exact whole numbers from JSON number text: <c>1e6</c> and <c>1.0</c> are whole, <c>1.5</c> and <c>1e-400</c> are not, <c>1e400</c> is and does not overflow.</summary>
internal static class WholeNumber
{
    /// <summary>The number, or the nearest <see cref="long"/> where it is beyond; null when it is not whole.</summary>
    /// <param name="text">A valid JSON number.</param>
    public static long? Parse(string text)
    {
        var negative = text.StartsWith('-');
        var exponentAt = text.IndexOfAny(['e', 'E']);
        var mantissa = (exponentAt < 0 ? text : text[..exponentAt]).TrimStart('-');
        var pointAt = mantissa.IndexOf('.', StringComparison.Ordinal);
        var decimals = pointAt < 0 ? 0 : mantissa.Length - pointAt - 1;
        var digits = mantissa.Replace(".", "", StringComparison.Ordinal).TrimStart('0');
        var significant = digits.TrimEnd('0');
        if (significant.Length == 0)
            return 0;

        var exponent = exponentAt < 0 ? 0 : ExponentOf(text[(exponentAt + 1)..]);
        var zeros = exponent - decimals + (digits.Length - significant.Length);
        if (zeros < 0)
            return null;

        var beyond = negative ? long.MinValue : long.MaxValue;
        if (significant.Length + zeros > 19)
            return beyond;
        var magnitude = (negative ? "-" : "") + significant + new string('0', (int)zeros);
        return long.TryParse(magnitude, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value) ? value : beyond;
    }

    // A text's length is far below this bound, so a clamped exponent decides as the true one would.
    private static long ExponentOf(string text) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var exponent)
            ? Math.Clamp(exponent, -1L << 40, 1L << 40)
            : text.StartsWith('-') ? -1L << 40 : 1L << 40;
}
