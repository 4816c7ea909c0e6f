using System.Reflection;

namespace ScaleOut.DevBox.Commands;

/// <summary>The ready-made plans and list prices, which are part of the program.</summary>
internal static class ReadyPlans
{
    /// <summary>The experiment that measures an account.</summary>
    public const string Calibration = "calibration.json";

    /// <summary>List prices.</summary>
    public const string Prices = "prices.json";

    /// <summary>Begins the name of each resource; the file's name follows.</summary>
    private const string Prefix = "plans.";
    private const string SchemaSuffix = ".schema.json";

    private static readonly Assembly Program = typeof(ReadyPlans).Assembly;

    /// <summary>Names of the files without <c>.json</c>, in alphabetical order.</summary>
    public static IReadOnlyList<string> Names { get; } =
    [
        .. Program.GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal) && !name.EndsWith(SchemaSuffix, StringComparison.Ordinal))
            .Select(name => Path.GetFileNameWithoutExtension(name[Prefix.Length..])).Order(StringComparer.Ordinal),
    ];

    /// <param name="file">Such as <c>scale-out.json</c>, or the name of a schema.</param>
    public static string TextOf(string file)
    {
        using var reader = new StreamReader(Program.GetManifestResourceStream(Prefix + file)!);
        return reader.ReadToEnd();
    }

    /// <summary>Name of the schema that a plan's text refers to; null if it has none.</summary>
    public static string? SchemaOf(string text) => Path.GetFileName((string?)Parse(text)["$schema"]);

    /// <summary>A line for each plan: its name, the command that takes it, and what it is.</summary>
    public static IEnumerable<string> List()
    {
        var width = Names.Max(name => name.Length);
        return Names.Select(name =>
        {
            var text = TextOf($"{name}.json");
            var (command, about) = SchemaOf(text) is null ? ("--prices", PricesOf(text))
                : ExperimentSpecReader.IsExperiment(text) ? ("experiment", ExperimentOf(text))
                : ("run", $"{(string?)Parse(text)["name"]}");
            return $"  {name.PadRight(width)}  {command,-10}  {about}";
        });
    }

    private static string ExperimentOf(string text)
    {
        var spec = ExperimentSpecReader.Read(text).Value!;
        var estimate = ExperimentEstimate.From(spec, RunTarget.SimulatedAccount);
        return $"{spec.Name}: {Words.Amount(estimate.Runs, "run")}, about {Numbers.Duration(estimate.Seconds)}{SmallestOf(spec)}";
    }

    /// <summary>The smallest scale that the experiment can be tried with, and its time; empty if that is the full size.</summary>
    private static string SmallestOf(ExperimentSpec spec) => ExperimentScaleCheck.SmallestOf(spec) is { } scale and < 1
        ? $"; with --scale {scale:0.######} {Numbers.Duration(ExperimentEstimate.From(
                spec with { Scale = scale }, RunTarget.SimulatedAccount).Seconds)}"
        : "";

    private static string PricesOf(string text) => PriceList.Read(text).Value!.Source ?? "Prices";

    private static JsonObject Parse(string text) => SpecJson.Parse(text, new ReadingContext())!.AsObject();
}
