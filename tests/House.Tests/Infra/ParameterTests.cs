namespace ScaleOut.Tests.Infra;

public sealed partial class ParameterTests
{
    // azd asks for the first two, and knows the third by itself.
    private static readonly Dictionary<string, string> OfAzd = new()
    {
        ["environmentName"] = "${AZURE_ENV_NAME}", ["location"] = "${AZURE_LOCATION}", ["deployerType"] = "${AZURE_PRINCIPAL_TYPE}",
    };

    private static readonly IEnumerable<(string Name, string Default)> Chosen =
        [.. Deployment.Parameters.Where(parameter => !OfAzd.ContainsKey(parameter.Key)).Select(one => (one.Key, DefaultOf(one.Key)))];

    [Fact]
    public void Bicep_EveryParameter_IsDescribed() => Assert.All(
        Deployment.Files.SelectMany(file => (file.Value["parameters"]?.AsObject() ?? []).Select(one => (file.Key, one))),
        parameter => Assert.NotEmpty((string)parameter.one.Value!["metadata"]!["description"]!));

    [Fact]
    public void Main_EveryNumber_HasLimits() => Assert.All(
        Deployment.Parameters.Where(parameter => (string)parameter.Value!["type"]! == "int"),
        parameter => Assert.NotNull(parameter.Value!["minValue"] ?? parameter.Value["allowedValues"]));

    [Fact]
    public void Main_EveryParameter_IsReadFromTheEnvironmentWithItsDefault()
    {
        var values = InfraFiles.ParameterValues.ToDictionary();

        Assert.Equal(Deployment.Parameters.Select(parameter => parameter.Key), InfraFiles.ParameterValues.Select(value => value.Key));
        Assert.All(OfAzd, parameter => Assert.Equal(parameter.Value, values[parameter.Key]));
        Assert.All(Chosen, parameter =>
        {
            var variable = Variable().Match(values[parameter.Name]);
            Assert.True(variable.Success, parameter.Name);
            Assert.Equal(parameter.Default, variable.Groups["default"].Value);
        });
    }

    /// <summary>The price of an instance depends on its memory.</summary>
    [Fact]
    public void Main_MemoryOfAnInstance_IsThatOfThePrices()
    {
        using var prices = JsonDocument.Parse(InfraFiles.Read("prices.json"));
        var gigabytes = prices.RootElement.GetProperty("instanceGigabytes").GetDouble();
        Assert.Equal($"{1024 * gigabytes}", DefaultOf("instanceMemoryMB"));
    }

    [Fact]
    public void Readme_Parameters_AreThoseOfMainWithVariableAndDefault()
    {
        var values = InfraFiles.ParameterValues.ToDictionary();
        var expected = Chosen
            .Select(parameter => (Variable().Match(values[parameter.Name]).Groups["name"].Value, parameter.Name, parameter.Default));
        var rows = MarkdownTable.Under(InfraFiles.Read("README.md"), "## Parameters");

        Assert.Equal(expected, rows.Select(cells => (MarkdownTable.Code(cells[0]), MarkdownTable.Code(cells[1]), cells[2])));
        Assert.All(rows, cells => Assert.NotEmpty(cells[3]));
    }

    /// <summary>
    /// One worker takes one instance, so MAX_WORKERS raised alone raises the instances, with some to spare. By default that is what the
    /// parameter says.
    /// </summary>
    [Fact]
    public void Main_Instances_AreMoreThanWorkers()
    {
        var spare = (int)Deployment.Main["variables"]!["spareInstances"]!;

        Assert.Equal(10, spare);
        Assert.Equal(int.Parse(DefaultOf("maximumInstanceCount"), CultureInfo.InvariantCulture), InstancesOf(Deployment.Default));
        Assert.All([Deployment.Default, Deployment.Network], deployed =>
        {
            Assert.True(InstancesOf(deployed) >= Setting(deployed, "MAX_WORKERS") + spare);
            Assert.Equal(InstancesOf(deployed) - spare, Setting(deployed, "WORKER_CAPACITY"));
        });

        static int InstancesOf(DeployedResources deployed) => (int)deployed.Properties("Microsoft.Web/sites")["functionAppConfig"]!
            ["scaleAndConcurrency"]!["maximumInstanceCount"]!;

        static int Setting(DeployedResources deployed, string name) => int.Parse(deployed.AppSettings[name], CultureInfo.InvariantCulture);
    }

    private static string DefaultOf(string name) => Deployment.Main["parameters"]![name]!["defaultValue"]!.ToString();

    [GeneratedRegex(@"^\$\{(?<name>[A-Z_]+)=(?<default>.*)\}$")]
    private static partial Regex Variable();
}
