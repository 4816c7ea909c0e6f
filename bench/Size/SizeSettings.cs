namespace ScaleOut.Bench.Size;

/// <summary>How much <c>bench size</c> runs.</summary>
/// <param name="Seconds">About how long each run lasts.</param>
/// <param name="Workers">Workers of the runs; the first is the base that the others are simulated from.</param>
/// <param name="Loads">Ids of the <see cref="SizeLoad"/>s to run.</param>
public sealed record SizeSettings(int Seconds, IReadOnlyList<int> Workers, IReadOnlyList<string> Loads)
{
    /// <summary>Reads <c>--seconds N --workers 1,2,4,8 --loads ru,flight</c>.</summary>
    /// <exception cref="ArgumentException">An option is not one of these, or its value none.</exception>
    public static SizeSettings Parse(IReadOnlyList<string> options)
    {
        var settings = new SizeSettings(25, [1, 2, 4, 8], [.. SizeLoad.All.Select(load => load.Id)]);
        for (var i = 0; i + 1 < options.Count; i += 2)
        {
            settings = options[i] switch
            {
                "--seconds" => settings with { Seconds = Whole(options[i + 1]) },
                "--workers" => settings with { Workers = [.. options[i + 1].Split(',').Select(Whole)] },
                "--loads" => settings with { Loads = [.. options[i + 1].Split(',').Select(LoadId)] },
                var other => throw new ArgumentException($"no option of bench size: {other}", nameof(options)),
            };
        }

        return settings;
    }

    private static string LoadId(string text) =>
        SizeLoad.All.Any(load => load.Id == text)
            ? text
            : throw new ArgumentException($"no load of bench size: {text}", nameof(text));

    private static int Whole(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0
            ? number
            : throw new ArgumentException($"not a number above 0: {text}", nameof(text));
}
