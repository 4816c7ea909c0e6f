namespace ScaleOut.DevBox.Commands;

/// <summary>Numbers that a user gives to options.</summary>
internal static class NumberText
{
    /// <summary>A number within bounds.</summary>
    /// <exception cref="InputException">The text is not a number, or out of range.</exception>
    public static double Parse(string option, string text, double least, double most) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number >= least && number <= most
            ? number
            : throw new InputException(
                FormattableString.Invariant($"{option}: '{text}' is not a number from {least:#,0.##} to {most:#,0.##}."));

    /// <summary>Any finite number.</summary>
    /// <exception cref="InputException">The text is not a number, or out of range.</exception>
    public static double Parse(string option, string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number)
            ? number
            : throw new InputException($"{option}: '{text}' is not a number.");
}
