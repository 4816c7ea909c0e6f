using ScaleOut.Specs;

namespace ScaleOut.Tests.Specs;

/// <summary>What only the reader sees, because it spans fields: each case is one rule, and none of them is in the JSON schema.</summary>
public sealed class RunSpecRulesTests
{
    [Theory]
    // Workload.
    [InlineData("""{"workload":{"batchSize":10}}""", "workload.batchSize: only with kind batch, not with insert")]
    [InlineData("""{"workload":{"kind":"bulk","batchSize":10}}""", "workload.batchSize: only with kind batch, not with bulk")]
    [InlineData("""{"documents":3}""", "workers: 4 is more than the 3 documents")]
    [InlineData("""{"documents":301,"workers":5,"workload":{"kind":"batch"}}""", "workers: 5 is more than the 4 batches of 100 documents")]
    [InlineData("""{"documents":9,"workload":{"kind":"batch","batchSize":3}}""", "workers: 4 is more than the 3 batches of 3 documents")]
    // Overrides.
    [InlineData("""{"workerOverrides":[{"workers":[0,3],"client":{}},{"workers":[7],"client":{}}]}""", "workerOverrides[1].workers[0]: worker 7 does not exist (0..3)")]
    // A named container.
    [InlineData("""{"container":{"name":"mine","throughput":60000}}""", "container.throughput: not beside container.name: an existing container is used as it is")]
    [InlineData("""{"container":{"name":"mine","autoscale":false}}""", "container.autoscale: not beside container.name: an existing container is used as it is")]
    [InlineData("""{"container":{"name":"mine","indexing":"None"}}""", "container.indexing: not beside container.name: an existing container is used as it is")]
    [InlineData("""{"container":{"name":"mine","excludedPaths":[]}}""", "container.excludedPaths: not beside container.name: an existing container is used as it is")]
    [InlineData("""{"container":{"name":"mine","keep":true}}""", "container.keep: not beside container.name: an existing container is used as it is")]
    // Throughput.
    [InlineData("""{"container":{"throughput":1500,"autoscale":true}}""", "container.throughput: 1500 with autoscale is not a multiple of 1000")]
    [InlineData("""{"container":{"throughput":900,"autoscale":true}}""", "container.throughput: 900 with autoscale is not a multiple of 1000")]
    // Partition key.
    [InlineData("""{"container":{"partitionKeyPath":"/Colour"}}""", "container.partitionKeyPath: \"/Colour\" cannot be the key of perfTest documents; /PartitionKey and /id can")]
    [InlineData("""{"container":{"partitionKeyPath":"/partitionkey"}}""", "container.partitionKeyPath: \"/partitionkey\" cannot be the key of perfTest documents; /PartitionKey and /id can")]
    [InlineData("""{"workload":{"kind":"batch"},"container":{"partitionKeyPath":"/id"}}""", "container.partitionKeyPath: /id differs in every document, but a batch needs one key for all of its")]
    // Consistency.
    [InlineData("""{"client":{"consistency":"Strong"},"simulation":{}}""", "client.consistency: Strong is stronger than the account's Session")]
    [InlineData("""{"client":{"consistency":"Session"},"simulation":{"consistency":"Eventual"}}""", "client.consistency: Session is stronger than the account's Eventual")]
    [InlineData(
        """{"workerOverrides":[{"workers":[0],"client":{"consistency":"BoundedStaleness"}}],"simulation":{}}""",
        "workerOverrides[0].client.consistency: BoundedStaleness is stronger than the account's Session")]
    // Fault rules.
    [InlineData("""{"simulation":{"faults":[{}]}}""", "simulation.faults[0]: does nothing: give status, delayMs or closeConnection")]
    [InlineData("""{"simulation":{"faults":[{"status":429},{"closeConnection":false}]}}""", "simulation.faults[1]: does nothing: give status, delayMs or closeConnection")]
    [InlineData("""{"simulation":{"faults":[{"delayMs":5,"subStatus":3200}]}}""", "simulation.faults[0].subStatus: only beside status")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"fromSeconds":2.5,"untilSeconds":2.5}]}}""", "simulation.faults[0].untilSeconds: 2.5 is not after fromSeconds 2.5")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"untilSeconds":0}]}}""", "simulation.faults[0].untilSeconds: 0 is not after fromSeconds 0")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"partition":10}]}}""", "simulation.faults[0].partition: partition 10 does not exist (0..9)")]
    [InlineData("""{"simulation":{"physicalPartitions":2,"splits":[{"afterSeconds":1,"partition":2}]}}""", "simulation.splits[0].partition: partition 2 does not exist then (0..1)")]
    [InlineData("""{"simulation":{"physicalPartitions":2,"splits":[{"afterSeconds":5,"partition":0},{"afterSeconds":1,"partition":3}]}}""", "simulation.splits[1].partition: partition 3 does not exist then (0..1)")]
    [InlineData("""{"simulation":{"physicalPartitions":2,"splits":[{"afterSeconds":1,"partition":0},{"afterSeconds":2,"partition":0}]}}""", "simulation.splits[1].partition: partition 0 is split already")]
    [InlineData("""{"simulation":{"physicalPartitions":2,"faults":[{"status":429,"partition":2}]}}""", "simulation.faults[0].partition: partition 2 does not exist (0..1)")]
    public void Read_BrokenRule_IsAFaultThatNoSchemaSees(string plan, string expected)
    {
        var fault = Assert.Single(RunSpecReader.Read(plan).Faults);

        Assert.Equal(expected, fault.ToString());
        Assert.True(fault.BeyondSchema);
    }

    [Theory]
    [InlineData("""{"documents":301,"workers":4,"workload":{"kind":"batch"}}""")]
    [InlineData("""{"documents":4}""")]
    [InlineData("""{"workload":{"kind":"batch","batchSize":1},"container":{"partitionKeyPath":"/id"}}""")]
    [InlineData("""{"container":{"name":"mine","throughput":null,"partitionKeyPath":"/id"}}""")]
    [InlineData("""{"container":{"throughput":1000,"autoscale":true}}""")]
    [InlineData("""{"client":{"consistency":"Strong"}}""")]
    [InlineData("""{"client":{"consistency":"Strong"},"simulation":{"consistency":"Strong"}}""")]
    [InlineData("""{"workerOverrides":[{"workers":[0],"client":{}},{"workers":[0],"client":{}}]}""")]
    [InlineData("""{"container":{"name":"mine"},"simulation":{"faults":[{"status":429,"partition":4000}]}}""")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"partition":9}]}}""")]
    [InlineData("""{"simulation":{"physicalPartitions":2,"splits":[{"afterSeconds":1,"partition":0},{"afterSeconds":2,"partition":3}],"faults":[{"status":429,"partition":5}]}}""")]
    public void Read_JustWithinTheRules_IsValid(string plan) => Assert.Empty(RunSpecReader.Read(plan).Faults);

    [Theory]
    [InlineData("""{"documents":0,"workers":10}""", "documents")]
    [InlineData("""{"workers":0,"workerOverrides":[{"workers":[7],"client":{}}]}""", "workers")]
    [InlineData("""{"workload":{"kind":"bach","batchSize":5}}""", "workload.kind")]
    [InlineData("""{"client":{"consistency":"Strong"},"simulation":{"consistency":"x"}}""", "simulation.consistency")]
    [InlineData("""{"simulation":{"physicalPartitions":0,"faults":[{"status":429,"partition":50}]}}""", "simulation.physicalPartitions")]
    [InlineData("""{"simulation":{"faults":[{"status":1}]}}""", "simulation.faults[0].status")]
    [InlineData("""{"simulation":{"faults":["x"]}}""", "simulation.faults[0]")]
    [InlineData("""{"workerOverrides":[5]}""", "workerOverrides[0]")]
    [InlineData("""{"container":{"name":"","throughput":400}}""", "container.name")]
    public void Read_RuleRestsOnAFaultyField_SaysNothingOfTheRule(string plan, string path) => Assert.Equal(path, Assert.Single(RunSpecReader.Read(plan).Faults).Path);

    [Fact]
    public void Read_SimulationForAnotherAccount_IsAFault()
    {
        Assert.Equal("simulation: only with the simulated account", Assert.Single(RunSpecReader.Read("""{"simulation":{}}""", RunTarget.OtherAccount).Faults).ToString());
        Assert.Empty(RunSpecReader.Read("""{"simulation":null,"client":{"consistency":"Strong"}}""", RunTarget.OtherAccount).Faults);
    }

    [Fact]
    public void Read_NoSimulationForTheSimulatedAccount_HasItsDefaultConsistency() => Assert.Equal(
        "client.consistency: Strong is stronger than the account's Session",
        Assert.Single(RunSpecReader.Read("""{"client":{"consistency":"Strong"}}""", RunTarget.SimulatedAccount).Faults).ToString());
}
