namespace ScaleOut.Tests.Infra;

public sealed class DeploymentTests
{
    /// <summary>The compiler is not on every machine, so these tests must not pass with what it made of other files.</summary>
    [Fact]
    public void Compiled_Sources_AreTheCurrentFiles()
    {
        var files = InfraFiles.Bicep.Concat(InfraFiles.Kusto).Append("abbreviations.json").Append("workbook/workbook.json")
            .Select(path => "infra/" + path)
            .Concat(new[] { "default", "network" }.Select(name => $"tests/House.Tests/Infra/Compiled/{name}.bicepparam"))
            .Select(path => (path, Deployment.ChecksumOf(path)));
        Assert.Equal(files.Order(), Deployment.Sources.Order());
    }

    [Fact]
    public void Compiled_Files_AreAllBicepFiles() => Assert.Equal(InfraFiles.Bicep, Deployment.Files.Keys.Order(StringComparer.Ordinal));

    /// <summary>The developer gets the roles of the app from the same modules.</summary>
    [Fact]
    public void DeveloperAccess_Roles_AreThoseOfTheApp()
    {
        var modules = Deployment.Modules(Deployment.Main).ToDictionary(module => module.Name);

        foreach (var name in new[] { "storage-access", "scheduler-access", "telemetry-access", "data-access" })
        {
            var (ofApp, ofDeveloper) = (modules[name], modules["developer-" + name]);
            Assert.True(JsonNode.DeepEquals(ofApp.Template, ofDeveloper.Template));
            foreach (var parameter in ofApp.Arguments.Where(one => one.Key is not ("principalId" or "principalType")))
                Assert.True(JsonNode.DeepEquals(parameter.Value, ofDeveloper.Arguments[parameter.Key]), parameter.Key);
        }

        var principals = Deployment.Default.OfType("Microsoft.Authorization/roleAssignments")
            .GroupBy(assignment => (string)assignment["properties"]!["principalId"]!).ToList();
        Assert.Equal(2, principals.Count);
        Assert.Equal(principals[0].Count(), principals[1].Count());
        Assert.Contains(principals, of => of.Key.Contains("deployer()", StringComparison.Ordinal));
    }

    /// <summary>
    /// A role holds minutes after its assignment, and scheduler and Cosmos DB take minutes: so the roles by which the app is deployed and
    /// starts wait for nothing but the service that they are for.
    /// </summary>
    [Theory]
    [InlineData("storage-access", "identity", "storage")]
    [InlineData("scheduler-access", "identity", "scheduler")]
    [InlineData("telemetry-access", "identity", "monitoring")]
    [InlineData("developer-storage-access", "storage")]
    [InlineData("developer-scheduler-access", "scheduler")]
    [InlineData("developer-telemetry-access", "monitoring")]
    public void Roles_OfAService_WaitForItAlone(string module, params string[] before) =>
        Assert.Equal(before, ModulesBefore(module).Order(StringComparer.Ordinal));

    [Theory]
    [InlineData("storage-access")]
    [InlineData("scheduler-access")]
    [InlineData("telemetry-access")]
    [InlineData("data-access")]
    public void App_Roles_AreAssignedBeforeIt(string module) => Assert.Contains(module, ModulesBefore("orchestrator"));

    /// <summary>Rules and tables of a workspace that is seconds old are refused.</summary>
    [Theory]
    [InlineData("alerts")]
    [InlineData("retention")]
    public void Module_ThatNeedsAnOldWorkspace_ComesLast(string module)
    {
        Assert.Superset(new HashSet<string> { "orchestrator", "monitoring" }, ModulesBefore(module));
        Assert.All(
            Deployment.Modules(Deployment.Main).Select(one => one.Name),
            name => Assert.DoesNotContain(module, ModulesBefore(name)));
    }

    /// <summary>The tables of Application Insights keep their records for 90 days by themselves.</summary>
    [Fact]
    public void Retention_Default_ChangesNoTable()
    {
        const string Tables = "Microsoft.OperationalInsights/workspaces/tables";

        Assert.Empty(Deployment.Default.OfType(Tables));
        Assert.All(Deployment.Network.OfType(Tables), table => Assert.Equal(30, (int)table["properties"]!["retentionInDays"]!));
        Assert.Equal(7, Deployment.Network.OfType(Tables).Count());
    }

    /// <summary>A definition is known everywhere only after a while, so it is made at once and assigned when Cosmos DB is there.</summary>
    [Fact]
    public void CustomRole_Definition_IsMadeAtTheBeginning()
    {
        Assert.Empty(ModulesBefore("role"));
        Assert.Superset(new HashSet<string> { "role", "cosmos" }, ModulesBefore("data-access"));
        var definition = Assert.Single(Deployment.ResourcesOf(Deployment.Files["app/role.bicep"]));
        Assert.Equal("[guid(resourceGroup().id, 'container operator')]", (string)definition["name"]!);
        Assert.False(definition.ContainsKey("dependsOn"));
    }

    /// <summary>The modules that have ended when one begins: those that it depends on, directly or through others.</summary>
    private static HashSet<string> ModulesBefore(string module)
    {
        var dependencies = Deployment.Main["resources"]!.AsArray()
            .Where(resource => (string)resource!["type"]! == "Microsoft.Resources/deployments")
            .ToDictionary(
                resource => (string)resource!["name"]!,
                resource => (resource!["dependsOn"]?.AsArray() ?? []).Select(
                    one => Regex.Match((string)one!, @"'Microsoft\.Resources/deployments', '(?<name>[\w-]+)'\)\]$").Groups["name"].Value)
                    .Where(name => name.Length > 0).ToList());
        var before = new HashSet<string>();
        var next = new Queue<string>(dependencies[module]);
        while (next.TryDequeue(out var name))
        {
            if (before.Add(name))
                dependencies[name].ForEach(next.Enqueue);
        }

        return before;
    }
}
