using System.CommandLine.Help;

namespace ScaleOut.Tests.EndToEnd.Documented;

/// <summary>The tables of <c>docs/reference.md</c> are those of the specs' schemas and of the commands.</summary>
public sealed class ReferencePageTests
{
    private const string Rewrite = "SCALEOUT_REWRITE_DOCS";
    private const string FieldHeading = "| field | values | default | what it says |\n|---|---|---|---|\n";
    private const string OptionHeading = "| option | what it says |\n|---|---|\n";

    private static readonly string Page = Path.Combine(RepositoryFiles.Root, "docs", "reference.md");

    [Fact]
    public void Page_OfTheRepository_MatchesTheCode()
    {
        var page = "# Reference\n\nMade from the code: the fields of specs from their schemas, the options from the commands.\n"
            + $"\n## Spec of a run\n\n{FieldHeading}{Fields(RunSpecReader.Schema(), "")}"
            + $"\n## Spec of an experiment\n\n{FieldHeading}{Fields(ExperimentSpecReader.Schema(), "")}"
            + $"\n## Options\n{string.Concat(CommandLine.Create().Subcommands.Where(command => !command.Hidden).Select(Options))}";
        if (Environment.GetEnvironmentVariable(Rewrite) == "1")
            File.WriteAllText(Page, page);

        Assert.True(File.Exists(Page) && File.ReadAllText(Page) == page,
            $"docs/reference.md differs from the code; rewrite it with {Rewrite}=1 dotnet test tests/ScaleOut.Tests --filter "
                + nameof(ReferencePageTests));
    }

    /// <summary>A row for each field and, below an object, for each of its own. The base of an experiment is the spec of a run.</summary>
    private static string Fields(JsonObject schema, string path) => string.Concat(
        schema["properties"]!.AsObject().Where(field => field.Key != "$schema").Select(field =>
        {
            var (about, name) = (field.Value!.AsObject(), path + field.Key);
            var row = $"| `{name}` | {Values(about)} | {Default(about)} | {Cell((string?)about["description"])} |\n";
            return name == "base" ? row
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

    private static string Options(Command command) =>
        $"\n### {command.Name}\n\n{Cell(command.Description)}\n\n{OptionHeading}"
        + string.Concat(command.Arguments.Select(argument => $"| `<{argument.Name}>` | {Cell(argument.Description)} |\n"))
        + string.Concat(command.Options.Where(option => !option.Hidden && option is not HelpOption).Select(option =>
        {
            (option as SpecOption)?.Explain();
            var value = option.ValueType == typeof(bool) ? "" : $" <{option.HelpName ?? option.Name.TrimStart('-')}>";
            return $"| `{Cell(option.Name + value)}` | {Cell(option.Description)} |\n";
        }));

    private static string Cell(string? text) => (text ?? "").ReplaceLineEndings(" ").Replace("|", "\\|", StringComparison.Ordinal);
}
