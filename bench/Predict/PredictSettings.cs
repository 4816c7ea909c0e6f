using System.Globalization;

namespace ScaleOut.Bench.Predict;

/// <summary>How much <c>bench predict</c> runs.</summary>
/// <param name="Seconds">About how long each run lasts.</param>
/// <param name="Workers">Workers of the runs; the first is the base that the others are predicted from.</param>
public sealed record PredictSettings(int Seconds, IReadOnlyList<int> Workers)
{
    /// <summary>Reads <c>--seconds N --workers 1,2,4,8</c>.</summary>
    /// <exception cref="ArgumentException">An option is not one of these, or its value none.</exception>
    public static PredictSettings Parse(IReadOnlyList<string> options)
    {
        var settings = new PredictSettings(25, [1, 2, 4, 8]);
        for (var i = 0; i + 1 < options.Count; i += 2)
        {
            settings = options[i] switch
            {
                "--seconds" => settings with { Seconds = Whole(options[i + 1]) },
                "--workers" => settings with { Workers = [.. options[i + 1].Split(',').Select(Whole)] },
                var other => throw new ArgumentException($"no option of bench predict: {other}", nameof(options)),
            };
        }

        return settings;
    }

    private static int Whole(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0
            ? number
            : throw new ArgumentException($"not a number above 0: {text}", nameof(text));
}
