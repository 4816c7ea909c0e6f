namespace ScaleOut.Tests.Shared.Specs.Reading;

/// <summary>Rules for the steps of actions. Those for other workloads are in <see cref="RunSpecRulesTests"/>.</summary>
public sealed class WorkloadRulesTests
{
    private const string NoStep = " is no step of an action, which has insert, upsert, read, query, delete, patch, replace";
    private const string NotBesideDelete = ": not beside reads, patches, replaces and other deletes: an action that is done again would "
        + "not find its document";

    [Theory]
    [InlineData("""{"workload":{"kind":"action"}}""", "workload.action: is missing: kind action needs it")]
    [InlineData("""{"workload":{"kind":"read","action":["read"]}}""", "workload.action: only with kind action, not with read")]
    [InlineData("""{"workload":{"mix":{"insert":1},"action":["insert"]}}""",
        "workload.action: not beside workload.mix: a run has one of the two")]
    [InlineData("""{"workload":{"action":["insert","bulk"]}}""", "workload.action[1]: bulk" + NoStep)]
    [InlineData("""{"workload":{"action":["batch"]}}""", "workload.action[0]: batch" + NoStep)]
    [InlineData("""{"workload":{"action":["insert"],"bulk":true}}""", "workload.bulk: only with kind read, delete or mix, not with action")]
    [InlineData("""{"workload":{"action":["read","delete"]}}""", "workload.action[1]" + NotBesideDelete)]
    [InlineData("""{"workload":{"action":["delete","insert","patch"]}}""", "workload.action[0]" + NotBesideDelete)]
    [InlineData("""{"workload":{"action":["delete"],"choose":"zipf"}}""",
        "workload.choose: not with an action that deletes: each document is deleted once")]
    [InlineData("""{"documents":50,"workload":{"action":["delete","insert"],"preload":49}}""",
        "workload.preload: 49 is less than the 50 documents, and each is deleted once")]
    [InlineData("""{"workload":{"action":["insert","query"]}}""", "workload.query: is missing: the queries of the action need it")]
    [InlineData("""{"workload":{"action":["insert"],"query":{"text":"x"}}}""", "workload.query: the action has no queries")]
    [InlineData("""{"workload":{"action":["insert"],"matchEtag":true}}""", "workload.matchEtag: the action has no replaces")]
    [InlineData("""{"workload":{"action":["insert"],"preload":9}}""",
        "workload.preload: the action has no reads, queries, deletes, patches or replaces")]
    [InlineData("""{"workload":{"action":["read","insert"],"ofRun":"r-1"},"container":{"name":"mine"}}""",
        "container.name: not beside an action that writes or deletes documents and works on others: these are written into a container of "
            + "the run's own")]
    [InlineData("""{"workload":{"action":["read","patch"]},"container":{"name":"mine"}}""",
        "workload.ofRun: is missing: kind action needs the id of the run that wrote the documents in container.name")]
    [InlineData("""{"workload":{"action":["query","query"],"query":{"text":"x","partitionKey":"{{key}}"}},"container":{"name":"mine"}}""",
        "workload.ofRun: is missing: kind action needs the id of the run that wrote the documents in container.name")]
    [InlineData("""{"workload":{"action":["read"]},"workerOverrides":[{"workers":[0],"mix":{"read":1}}]}""",
        "workerOverrides[0].mix: only with kind mix, not with action")]
    [InlineData("""{"documents":60000000000,"workload":{"action":["read","insert"]}}""",
        "documents: 60,000,000,000 is more than the 1,000,000,000 with which documents are written before the start")]
    public void Read_BrokenRuleOfActions_IsAnErrorThatNoSchemaSees(string json, string expected)
    {
        var error = Assert.Single(RunSpecReader.Read(json).Errors);
        Assert.Equal(expected, error.ToString());
        Assert.True(error.BeyondSchema);
    }

    [Theory]
    [InlineData("""{"workload":{"action":["read"]}}""")]
    [InlineData("""{"workload":{"kind":"action","action":["read","read","replace"],"choose":"zipf","matchEtag":true,"preload":5}}""")]
    [InlineData("""{"workload":{"action":["delete","insert"]}}""")]
    [InlineData("""{"workload":{"action":["query","delete"],"query":{"text":"x"}}}""")]
    [InlineData("""{"workload":{"action":["insert","upsert"]},"container":{"name":"mine"}}""")]
    [InlineData("""{"workload":{"action":["read","patch"],"ofRun":"r-1"},"container":{"name":"mine"}}""")]
    [InlineData("""{"workload":{"action":["query","query"],"query":{"text":"x"}},"container":{"name":"mine"}}""")]
    public void Read_ActionWithinTheRules_IsValid(string json)
    {
        var reading = RunSpecReader.Read(json);
        Assert.Empty(reading.Errors);
        Assert.Equal(WorkloadKind.Action, reading.Value!.Workload.Kind);
    }

    /// <summary>What other fields mean beside a step that is not known is not known either.</summary>
    [Theory]
    [InlineData("""{"workload":{"action":["insert","fly"],"preload":9,"choose":"zipf","query":{"text":"x"},"matchEtag":true}}""", 1)]
    [InlineData("""{"workload":{"action":["insert","bulk"],"preload":9,"query":{"text":"x"}}}""", 1)]
    [InlineData("""{"workload":{"action":["insert","bulk","batch"]}}""", 2)]
    public void Read_InvalidSteps_ReportsOnlyThese(string json, int errors)
    {
        var found = RunSpecReader.Read(json).Errors;
        Assert.Equal(errors, found.Count);
        Assert.All(found, error => Assert.StartsWith("workload.action[", error.Path, StringComparison.Ordinal));
    }
}
