namespace ScaleOut.Bench.Soak;

/// <summary>Options of a soak.</summary>
internal sealed record SoakSettings
{
    /// <summary>Number of events after which no further run begins. Default 200.</summary>
    public int Kills { get; init; } = 200;

    /// <summary>Seed that decides which runs there are and what happens to them. Default 1.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Time after which no further run begins. Default 60 min.</summary>
    public TimeSpan Limit { get; init; } = TimeSpan.FromMinutes(60);

    /// <summary>Number of runs at the same time, each with an account of its own. Default 1.</summary>
    public int AtOnce { get; init; } = 1;

    /// <summary>Reads <c>--kills N --seed N --minutes N --at-once N</c>.</summary>
    /// <exception cref="FormatException">An option or its value is not understood.</exception>
    public static SoakSettings Parse(IEnumerable<string> arguments)
    {
        var settings = new SoakSettings();
        using var words = arguments.GetEnumerator();
        while (words.MoveNext())
        {
            var option = words.Current;
            int Value() => words.MoveNext() && int.TryParse(words.Current, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
                ? number
                : throw new FormatException($"{option} needs a whole number.");
            settings = option switch
            {
                "--kills" => settings with { Kills = Value() },
                "--seed" => settings with { Seed = Value() },
                "--minutes" => settings with { Limit = TimeSpan.FromMinutes(Value()) },
                "--at-once" => settings with { AtOnce = Value() },
                _ => throw new FormatException($"{option} is no option: --kills, --seed, --minutes, --at-once."),
            };
        }

        return settings;
    }
}
