namespace ScaleOut.Tests.Infra;

/// <summary>The actions of the custom role against the calls that the app makes to Azure Resource Manager.</summary>
public sealed class RoleActionTests
{
    private const string Provider = "Microsoft.DocumentDB/databaseAccounts";
    private const string Database = ResourceManagerStandIn.AccountPath + "/sqlDatabases/scaleout";
    private const string Container = Database + "/containers/run-r1";
    private const string Throughput = Container + "/throughputSettings/default";

    // Belongs to the subscription, where the role gives nothing: the app then asks for the results of the operation instead.
    private const string Status =
        "/subscriptions/00000000-0000-0000-0000-000000000001/providers/Microsoft.DocumentDB/locations/swedencentral/operationsStatus/1";

    private static readonly Dictionary<string, string> Verbs = new() { ["GET"] = "read", ["PUT"] = "write", ["DELETE"] = "delete" };

    [Fact]
    public async Task CustomRole_Actions_AreThoseThatTheCallsNeed()
    {
        var actions = Deployment.Default.Properties("Microsoft.Authorization/roleDefinitions")["permissions"]![0]!["actions"]!.AsArray()
            .Select(action => (string)action!);
        Assert.Equal(
            (await CallsAsync()).Select(ActionOf).Distinct().Order(StringComparer.Ordinal), actions.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Readme_Calls_AreThoseOfTheApp()
    {
        var text = new StringBuilder("| call, below the account | action |\n|---|---|\n");
        var rows = (await CallsAsync()).Select(call => $"| `{ShownOf(call)}` | `{ActionOf(call)}` |").Distinct();
        foreach (var row in rows)
            text.Append(row).Append('\n');
        GeneratedText.AssertIs(
            "infra/README.md", text.ToString(), "SCALEOUT_REWRITE_ACTIONS", nameof(RoleActionTests),
            "<!-- made by RoleActionTests -->\n", "<!-- end -->\n");
    }

    /// <summary>Every call of the plane. The database exists, as in a deployment, and each change goes on after its response.</summary>
    private static async Task<List<(string Method, string[] Path)>> CallsAsync()
    {
        await using var azure = await ResourceManagerStandIn.StartAsync();
        azure.Resources[Database] = new JsonObject();
        foreach (var (method, path) in new[] { ("PUT", Container), ("PUT", Throughput), ("DELETE", Container) })
        {
            var results = path + "/operationResults/1";
            azure.RespondOnce(
                $"{method} {path}", 202, "", ("Azure-AsyncOperation", Status), ("Location", results), ("Retry-After", "0"));
            azure.RespondOnce("GET " + Status, 403, "{}");
            azure.RespondOnce("GET " + results, 200, "");
        }

        var account = new AccountConnection
        {
            Endpoint = new Uri("https://books.documents.azure.com/"), ResourceId = ResourceManagerStandIn.AccountPath,
        };
        var plane = new ResourceManagerPlane(AccountResourceId.From(account), azure.CreateClient());
        var target = new ContainerTarget("scaleout", "run-r1", "/PartitionKey");
        var definition = new ContainerDefinition(target, new ContainerSpec { Throughput = 9_000 });
        var token = TestContext.Current.CancellationToken;
        var methods = new Dictionary<string, Func<Task>>
        {
            [nameof(plane.DatabaseExistsAsync)] = () => plane.DatabaseExistsAsync(target.Database, token),
            [nameof(plane.EnsureDatabaseAsync)] = () => plane.EnsureDatabaseAsync(target.Database, null, token),
            [nameof(plane.TryCreateContainerAsync)] = () => plane.TryCreateContainerAsync(definition, token),
            [nameof(plane.ReadContainerAsync)] = () => plane.ReadContainerAsync(target, token),
            [nameof(plane.ReadThroughputAsync)] = () => plane.ReadThroughputAsync(target, token),
            [nameof(plane.ReplaceThroughputAsync)] = () => plane.ReplaceThroughputAsync(target, 20_000, autoscale: false, token),
            [nameof(plane.MayReplaceThroughputAsync)] = () => plane.MayReplaceThroughputAsync(target.Database, token),
            [nameof(plane.DeleteContainerAsync)] = () => plane.DeleteContainerAsync(target, token),
        };
        Assert.Equal(
            typeof(IContainerPlane).GetMethods().Where(method => !method.IsSpecialName).Select(method => method.Name).ToHashSet(),
            methods.Keys.ToHashSet());
        foreach (var callAsync in methods.Values)
            await callAsync();

        Assert.Equal(3, azure.Calls.Count(call => call.Call == "GET " + Status));
        return
        [
            .. azure.Calls.Select(call => call.Call.Split('?')[0].Split(' '))
                .Where(call => call[1].StartsWith(ResourceManagerStandIn.AccountPath, StringComparison.Ordinal))
                .Select(call => (call[0], call[1][(ResourceManagerStandIn.AccountPath.Length + 1)..].Split('/'))),
        ];
    }

    /// <summary>
    /// Types and names alternate in a path; the action has the types and what the method does. A provider within the path begins anew.
    /// </summary>
    private static string ActionOf((string Method, string[] Path) call) => Array.IndexOf(call.Path, "providers") is >= 0 and var at
        ? $"{call.Path[at + 1]}/{TypesOf(call.Path[(at + 2)..])}/{Verbs[call.Method]}"
        : $"{Provider}/{TypesOf(call.Path)}/{Verbs[call.Method]}";

    private static string TypesOf(string[] path) => string.Join('/', path.Where((_, at) => at % 2 == 0));

    private static string ShownOf((string Method, string[] Path) call) =>
        $"{call.Method} {string.Join('/', call.Path)}".Replace("/run-r1", "/<container>", StringComparison.Ordinal)
            .Replace("operationResults/1", "operationResults/<operation>", StringComparison.Ordinal);
}
