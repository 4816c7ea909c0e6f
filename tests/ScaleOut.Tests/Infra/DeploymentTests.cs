namespace ScaleOut.Tests.Infra;

public sealed class DeploymentTests
{
    /// <summary>The compiler is not on every machine, so these tests must not pass with what it made of other files.</summary>
    [Fact]
    public void Compiled_Sources_AreTheCurrentFiles()
    {
        var files = InfraFiles.Bicep.Concat(InfraFiles.Kusto).Append("abbreviations.json").Append("workbook/workbook.json")
            .Select(path => "infra/" + path)
            .Concat(new[] { "default", "network" }.Select(name => $"tests/ScaleOut.Tests/Infra/Compiled/{name}.bicepparam"))
            .Select(path => (path, Deployment.ChecksumOf(path)));
        Assert.Equal(files.Order(), Deployment.Sources.Order());
    }

    [Fact]
    public void Compiled_Files_AreAllBicepFiles() => Assert.Equal(InfraFiles.Bicep, Deployment.Files.Keys.Order(StringComparer.Ordinal));

    /// <summary>The developer gets the roles of the app from the same module.</summary>
    [Fact]
    public void DeveloperAccess_Roles_AreThoseOfTheApp()
    {
        var modules = Deployment.Modules(Deployment.Main).ToDictionary(module => module.Name);

        Assert.True(JsonNode.DeepEquals(modules["access"].Template, modules["developer-access"].Template));
        foreach (var parameter in modules["access"].Arguments.Where(one => one.Key is not ("principalId" or "principalType")))
            Assert.True(JsonNode.DeepEquals(parameter.Value, modules["developer-access"].Arguments[parameter.Key]), parameter.Key);
        var principals = Deployment.Default.OfType("Microsoft.Authorization/roleAssignments")
            .GroupBy(assignment => (string)assignment["properties"]!["principalId"]!).ToList();
        Assert.Equal(2, principals.Count);
        Assert.Equal(principals[0].Count(), principals[1].Count());
        Assert.Contains(principals, of => of.Key.Contains("deployer()", StringComparison.Ordinal));
    }
}
