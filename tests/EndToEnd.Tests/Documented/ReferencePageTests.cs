using System.CommandLine.Help;

namespace ScaleOut.Tests.EndToEnd.Documented;

/// <summary>The tables of <c>docs/reference.md</c> are those of the specs' schemas and of the commands.</summary>
public sealed class ReferencePageTests
{
    private const string Rewrite = "SCALEOUT_REWRITE_DOCS";
    private const int MinShared = 2;
    private const string FieldHeading = "| field | values | default | what it says |\n|---|---|---|---|\n";
    private const string OptionHeading = "| option | what it says |\n|---|---|\n";

    private static readonly string Page = Path.Combine(RepositoryFiles.Root, "docs", "reference.md");

    [Fact]
    public void Page_OfTheRepository_MatchesTheCode()
    {
        var page = "# Reference\n\nMade from the code: the fields of specs from their schemas, the options from the commands.\n"
            + $"\n## Spec of a run\n\n{FieldHeading}{Fields(RunSpecReader.Schema(), "")}"
            + $"\n## Spec of an experiment\n\n{FieldHeading}{Fields(ExperimentSpecReader.Schema(), "")}"
            + Options([.. CommandLine.Create().Subcommands.Where(command => !command.Hidden)]);
        if (Environment.GetEnvironmentVariable(Rewrite) == "1")
            File.WriteAllText(Page, page);

        Assert.True(File.Exists(Page) && File.ReadAllText(Page) == page,
            $"docs/reference.md differs from the code; rewrite it with {Rewrite}=1 "
                + $"dotnet test --project tests/EndToEnd.Tests --filter-class '*{nameof(ReferencePageTests)}'");
    }

    /// <summary>
    /// A row for each field and, below an object, for each of its own. The base of an experiment and a change of it have those of a run.
    /// </summary>
    private static string Fields(JsonObject schema, string path) => string.Concat(
        schema["properties"]!.AsObject().Where(field => field.Key != "$schema").Select(field =>
        {
            var (about, name) = (field.Value!.AsObject(), path + field.Key);
            var row = $"| `{name}` | {Values(about)} | {Default(about)} | {Cell((string?)about["description"])} |\n";
            return name is "base" or "variants[].change" ? row
                : about["properties"] is not null ? row + Fields(about, $"{name}.")
                : about["items"]?["properties"] is not null ? row + Fields(about["items"]!.AsObject(), $"{name}[].")
                : row;
        }));

    private static string Values(JsonObject field)
    {
        if (field["anyOf"]?[0]?["enum"] is JsonArray names)
            return string.Join(", ", names.Select(name => $"`{name}`"));
        var type = field["type"] is JsonArray types ? string.Join(" or ", types.Select(one => $"{one}").Where(one => one != "null"))
            : $"{field["type"]}";
        var (least, most) = (field["minimum"], field["maximum"]);
        return type + (least is null ? "" : $", {Text(least)} to {Text(most!)}");
    }

    private static string Default(JsonObject field) => field["default"] is JsonValue value ? $"`{value}`" : "";

    private static string Text(JsonNode number) => decimal
        .Parse(number.ToJsonString(), NumberStyles.Float, CultureInfo.InvariantCulture)
        .ToString("#,0.######", CultureInfo.InvariantCulture);

    /// <summary>An option that several commands have, with the same words, stands once. Each command names it.</summary>
    private static string Options(IReadOnlyList<Command> commands)
    {
        var rows = commands.ToDictionary(
            command => command,
            command => command.Options.Where(option => !option.Hidden && option is not HelpOption)
                .Select(option => (option.Name, Row: Row(option))).ToList());
        var shared = rows.Values.SelectMany(options => options).CountBy(option => option.Row)
            .Where(row => row.Value >= MinShared).Select(row => row.Key).ToHashSet();
        var first = rows.Values.SelectMany(options => options).Select(option => option.Row).Distinct().Where(shared.Contains);
        return $"\n## Options of several commands\n\n{OptionHeading}{string.Concat(first)}\n## Options by command\n"
            + string.Concat(commands.Select(command => Section(command, rows[command], shared)));
    }

    private static string Section(Command command, List<(string Name, string Row)> options, HashSet<string> shared)
    {
        var own = string.Concat(command.Arguments.Select(argument => $"| `<{argument.Name}>` | {Cell(argument.Description)} |\n"))
            + string.Concat(options.Where(option => !shared.Contains(option.Row)).Select(option => option.Row));
        var others = options.Where(option => shared.Contains(option.Row)).Select(option => $"`{option.Name}`").ToList();
        return $"\n### {command.Name}\n\n{Cell(command.Description)}\n"
            + (own.Length > 0 ? $"\n{OptionHeading}{own}" : "")
            + (others.Count > 0 ? $"\nOf several commands: {string.Join(", ", others)}.\n" : "");
    }

    private static string Row(Option option)
    {
        (option as SpecOption)?.Explain();
        var value = option.ValueType == typeof(bool) ? "" : $" <{option.HelpName ?? option.Name.TrimStart('-')}>";
        return $"| `{Cell(option.Name + value)}` | {Cell(option.Description)} |\n";
    }

    private static string Cell(string? text) => (text ?? "").ReplaceLineEndings(" ").Replace("|", "\\|", StringComparison.Ordinal);
}
