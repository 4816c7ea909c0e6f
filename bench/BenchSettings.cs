namespace ScaleOut.Bench;

/// <summary>Options of a benchmark.</summary>
public sealed record BenchSettings
{
    /// <summary>
    /// Number of documents of one measurement. Default 20,000: many short pairs say more on a noisy machine than a few long ones.
    /// </summary>
    public long Documents { get; init; } = 20_000;

    /// <summary>Operations in flight. Default 16, in bulk 400.</summary>
    public int Concurrency { get; init; } = 16;

    /// <summary>Number of pairs of measurements, odd. Default 31.</summary>
    public int Pairs { get; init; } = 31;

    public ConnectionMode Mode { get; init; } = ConnectionMode.Gateway;

    public bool Bulk { get; init; }

    /// <summary>Reads <c>--documents N --concurrency N --pairs N --mode Gateway|Direct --bulk</c>.</summary>
    /// <exception cref="FormatException">An option or its value is not understood.</exception>
    public static BenchSettings Parse(IEnumerable<string> arguments)
    {
        var settings = new BenchSettings();
        using var words = arguments.GetEnumerator();
        while (words.MoveNext())
        {
            var option = words.Current;
            string Value() => words.MoveNext() ? words.Current : throw new FormatException($"{option} needs a value.");
            settings = option switch
            {
                "--documents" => settings with { Documents = long.Parse(Value(), CultureInfo.InvariantCulture) },
                "--concurrency" => settings with { Concurrency = int.Parse(Value(), CultureInfo.InvariantCulture) },
                "--pairs" => settings with { Pairs = int.Parse(Value(), CultureInfo.InvariantCulture) },
                "--mode" => settings with { Mode = Enum.Parse<ConnectionMode>(Value(), ignoreCase: true) },
                "--bulk" => settings with { Bulk = true, Concurrency = 400 },
                _ => throw new FormatException($"{option} is no option: --documents, --concurrency, --pairs, --mode, --bulk."),
            };
        }

        return settings;
    }
}
