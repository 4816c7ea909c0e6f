namespace ScaleOut.Tests.Infra;

public sealed partial class ParameterTests
{
    // azd asks for the first two, and knows the third by itself.
    private static readonly Dictionary<string, string> OfAzd = new()
    {
        ["environmentName"] = "${AZURE_ENV_NAME}",
        ["location"] = "${AZURE_LOCATION}",
        ["deployerType"] = "${AZURE_PRINCIPAL_TYPE}",
    };

    private static readonly IReadOnlyList<BicepParameter> Main = InfraFiles.Main.Parameters;

    private static readonly IReadOnlyList<BicepParameter> Chosen = [.. Main.Where(parameter => !OfAzd.ContainsKey(parameter.Name))];

    [Fact]
    public void Bicep_EveryParameter_IsDescribed() => Assert.All(
        InfraFiles.Bicep.SelectMany(file => file.Parameters.Select(parameter => (file.Path, parameter.Name, parameter.Decorators))),
        parameter => Assert.True(HasDecorator(parameter.Decorators, "description('"), $"{parameter.Path}: {parameter.Name}"));

    [Fact]
    public void Main_EveryNumber_HasLimits() => Assert.All(
        Main.Where(parameter => parameter.Type == "int"),
        parameter => Assert.True(
            HasDecorator(parameter.Decorators, "minValue(") || HasDecorator(parameter.Decorators, "allowed("), parameter.Name));

    [Fact]
    public void Main_EveryParameter_IsReadOfTheEnvironmentWithItsDefault()
    {
        var values = InfraFiles.ParameterValues.ToDictionary();

        Assert.Equal(Main.Select(parameter => parameter.Name), InfraFiles.ParameterValues.Select(value => value.Key));
        Assert.All(OfAzd, parameter => Assert.Equal(parameter.Value, values[parameter.Key]));
        Assert.All(Chosen, parameter =>
        {
            var variable = Variable().Match(values[parameter.Name]);
            Assert.True(variable.Success, parameter.Name);
            Assert.Equal(parameter.Default, variable.Groups["default"].Value);
        });
    }

    /// <summary>An instance of another size costs something else.</summary>
    [Fact]
    public void Main_MemoryOfAnInstance_IsThatOfThePrices()
    {
        using var prices = JsonDocument.Parse(InfraFiles.Read("prices.json"));
        var gigabytes = prices.RootElement.GetProperty("instanceGigabytes").GetDouble();

        Assert.Equal($"{1024 * gigabytes}", Main.Single(parameter => parameter.Name == "instanceMemoryMB").Default);
    }

    [Fact]
    public void Readme_Parameters_AreThoseOfMainWithVariableAndDefault()
    {
        var values = InfraFiles.ParameterValues.ToDictionary();
        var expected = Chosen
            .Select(parameter => (Variable().Match(values[parameter.Name]).Groups["name"].Value, parameter.Name, parameter.Default));

        var rows = MarkdownTable.Under(InfraFiles.Read("README.md"), "## Parameters");

        Assert.Equal(expected, rows.Select(cells => (MarkdownTable.Code(cells[0]), MarkdownTable.Code(cells[1]), (string?)cells[2])));
        Assert.All(rows, cells => Assert.NotEmpty(cells[3]));
    }

    /// <summary>
    /// One worker takes one instance, so MAX_WORKERS raised alone raises the instances, with some to spare. By default that is what the
    /// parameter says.
    /// </summary>
    [Fact]
    public void Main_Instances_AreMoreThanWorkers()
    {
        var lines = InfraFiles.Main.Text.Split('\n').Select(line => line.Trim()).ToList();

        Assert.Contains("var instances = max(maximumInstanceCount, min(maximumWorkers + spareInstances, 1000))", lines);
        Assert.Contains("maximumInstanceCount: instances", lines);
        Assert.Contains("workerCapacity: max(maximumWorkers, instances - spareInstances)", lines);
        Assert.Equal(DefaultOf("maximumInstanceCount"), DefaultOf("maximumWorkers") + Spare());
    }

    private static int DefaultOf(string name) =>
        int.Parse(Main.Single(parameter => parameter.Name == name).Default!, CultureInfo.InvariantCulture);

    private static int Spare() => int.Parse(SpareInstances().Match(InfraFiles.Main.Text).Groups[1].Value, CultureInfo.InvariantCulture);

    private static bool HasDecorator(string decorators, string name) => decorators.Contains("@" + name, StringComparison.Ordinal);

    [GeneratedRegex(@"^var spareInstances = (\d+)$", RegexOptions.Multiline)]
    private static partial Regex SpareInstances();

    [GeneratedRegex(@"^\$\{(?<name>[A-Z_]+)=(?<default>.*)\}$")]
    private static partial Regex Variable();
}
