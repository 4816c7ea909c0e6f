using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace ScaleOut.Tests.Infra;

public sealed partial class ParameterTests
{
    // azd knows these by itself, and asks for them.
    private static readonly string[] AskedFor = ["environmentName", "location", "principalId"];

    private static readonly IReadOnlyList<BicepParameter> Main = InfraFiles.Bicep.Single(file => file.Path == "main.bicep").Parameters;

    [Fact]
    public void Bicep_EveryParameter_IsDescribed() => Assert.All(
        InfraFiles.Bicep.SelectMany(file => file.Parameters.Select(parameter => (file.Path, parameter.Name, parameter.Decorators))),
        parameter => Assert.True(parameter.Decorators.Contains("@description('", StringComparison.Ordinal), $"{parameter.Path}: {parameter.Name}"));

    [Fact]
    public void Main_EveryNumber_HasLimits() => Assert.All(
        Main.Where(parameter => parameter.Type == "int"),
        parameter => Assert.True(
            parameter.Decorators.Contains("@minValue(", StringComparison.Ordinal) || parameter.Decorators.Contains("@allowed(", StringComparison.Ordinal),
            parameter.Name));

    [Fact]
    public void Main_EveryParameter_IsReadOfTheEnvironmentWithItsDefault()
    {
        var values = JsonNode.Parse(InfraFiles.Read("main.parameters.json"))!["parameters"]!.AsObject();

        Assert.Equal(Main.Select(parameter => parameter.Name), values.Select(value => value.Key));
        Assert.All(Main.Where(parameter => !AskedFor.Contains(parameter.Name)), parameter =>
        {
            var variable = Variable().Match(values[parameter.Name]!["value"]!.GetValue<string>());
            Assert.True(variable.Success, parameter.Name);
            Assert.Equal(parameter.Default, variable.Groups["default"].Value);
        });
    }

    [Fact]
    public void Readme_Parameters_AreThoseOfMainWithVariableAndDefault()
    {
        var values = JsonNode.Parse(InfraFiles.Read("main.parameters.json"))!["parameters"]!.AsObject();
        var expected = Main.Where(parameter => !AskedFor.Contains(parameter.Name))
            .Select(parameter => (Variable().Match(values[parameter.Name]!["value"]!.GetValue<string>()).Groups["name"].Value, parameter.Name, parameter.Default));

        var rows = MarkdownTable.Under(InfraFiles.Read("README.md"), "## Parameters");

        Assert.Equal(expected, rows.Select(cells => (MarkdownTable.Code(cells[0]), MarkdownTable.Code(cells[1]), (string?)cells[2])));
        Assert.All(rows, cells => Assert.NotEmpty(cells[3]));
    }

    [GeneratedRegex(@"^\$\{(?<name>[A-Z_]+)=(?<default>.*)\}$")]
    private static partial Regex Variable();
}
