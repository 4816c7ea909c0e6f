using System.Globalization;

namespace ScaleOut.Bench.Predict;

/// <summary>How much <c>bench predict</c> runs.</summary>
/// <param name="Seconds">About how long each run lasts.</param>
/// <param name="Workers">Workers of the runs; the first is the base that the others are predicted from.</param>
/// <param name="Loads">Ids of the <see cref="PredictLoad"/>s to run.</param>
public sealed record PredictSettings(int Seconds, IReadOnlyList<int> Workers, IReadOnlyList<string> Loads)
{
    /// <summary>Reads <c>--seconds N --workers 1,2,4,8 --loads ru,flight,machine</c>.</summary>
    /// <exception cref="ArgumentException">An option is not one of these, or its value none.</exception>
    public static PredictSettings Parse(IReadOnlyList<string> options)
    {
        var settings = new PredictSettings(25, [1, 2, 4, 8], [.. PredictLoad.All.Select(load => load.Id)]);
        for (var i = 0; i + 1 < options.Count; i += 2)
        {
            settings = options[i] switch
            {
                "--seconds" => settings with { Seconds = Whole(options[i + 1]) },
                "--workers" => settings with { Workers = [.. options[i + 1].Split(',').Select(Whole)] },
                "--loads" => settings with { Loads = [.. options[i + 1].Split(',').Select(LoadId)] },
                var other => throw new ArgumentException($"no option of bench predict: {other}", nameof(options)),
            };
        }

        return settings;
    }

    private static string LoadId(string text) =>
        PredictLoad.All.Any(load => load.Id == text)
            ? text
            : throw new ArgumentException($"no load of bench predict: {text}", nameof(text));

    private static int Whole(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0
            ? number
            : throw new ArgumentException($"not a number above 0: {text}", nameof(text));
}
