namespace ScaleOut.DevBox.Commands;

/// <summary>Numbers that a user gives to options.</summary>
internal static partial class NumberText
{
    /// <summary>The text without the commas of thousands, as in <c>100,000</c>. Other texts stay as they are.</summary>
    public static string WithoutSeparators(string text) =>
        Thousands().IsMatch(text) ? text.Replace(",", "", StringComparison.Ordinal) : text;

    /// <summary>Reads a number within bounds.</summary>
    /// <exception cref="InputException">The text is not a number, or out of range.</exception>
    public static double Parse(string option, string text, double least, double most) =>
        double.TryParse(WithoutSeparators(text), NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            && number >= least && number <= most
            ? number
            : throw new InputException(
                option, $"'{text}' is not a number from {least:#,0.##} to {most:#,0.##}.");

    [GeneratedRegex(@"^-?\d{1,3}(,\d{3})+(\.\d+)?$")]
    private static partial Regex Thousands();
}
