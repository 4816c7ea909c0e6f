using System.Globalization;

namespace ScaleOut.Reports.Svg;

/// <summary>Labels of axis marks.</summary>
internal static class AxisText
{
    /// <summary>A round value in the unit that the axis's largest value asks for, such as <c>0.5</c>, <c>5,000</c>, <c>20k</c>, <c>1.5M</c>.</summary>
    public static string Value(double value, double largest) => largest switch
    {
        _ when value == 0 => "0",
        >= 1e9 => Text(value / 1e9) + "G",
        >= 1e6 => Text(value / 1e6) + "M",
        >= 1e4 => Text(value / 1e3) + "k",
        _ => Text(value),
    };

    /// <summary>Elapsed time, such as <c>0:30</c>, with hours when the whole axis has some, as <c>1:05:00</c>.</summary>
    public static string Elapsed(int seconds, int whole) => whole < 3_600
        ? string.Create(CultureInfo.InvariantCulture, $"{seconds / 60}:{seconds % 60:00}")
        : string.Create(CultureInfo.InvariantCulture, $"{seconds / 3_600}:{seconds / 60 % 60:00}:{seconds % 60:00}");

    private static string Text(double value) => value.ToString("#,0.######", CultureInfo.InvariantCulture);
}
