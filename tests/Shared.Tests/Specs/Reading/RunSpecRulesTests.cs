namespace ScaleOut.Tests.Shared.Specs.Reading;

/// <summary>Rules that span fields, which only the reader checks: each case is one rule, and none of them is in the JSON schema.</summary>
public sealed class RunSpecRulesTests
{
    private const string NotBesideName = ": not beside container.name: an existing container is used as it is";
    private const string IndexedAnyway = " is indexed without it, because no path of excludedPaths covers it; exclude \"/*\" to index "
        + "nothing but the included paths";
    private const string TemplateKey = ", and the key of a template is a text, such as \"c-{{random:int:1:100}}\"; /id can";

    [Theory]
    // Workload.
    [InlineData("""{"workload":{"batchSize":10}}""", "workload.batchSize: only with kind batch or tableBatch, not with insert")]
    [InlineData("""{"workload":{"kind":"bulk","batchSize":10}}""", "workload.batchSize: only with kind batch or tableBatch, not with bulk")]
    [InlineData("""{"documents":3}""", "workers: 4 is more than the 3 documents")]
    [InlineData("""{"documents":301,"workers":5,"workload":{"kind":"batch"}}""", "workers: 5 is more than the 4 batches of 100 documents")]
    [InlineData("""{"documents":9,"workload":{"kind":"batch","batchSize":3}}""", "workers: 4 is more than the 3 batches of 3 documents")]
    // Mix.
    [InlineData("""{"workload":{"kind":"mix"}}""", "workload.mix: is missing: kind mix needs it")]
    [InlineData("""{"workload":{"kind":"read","mix":{"read":1}}}""", "workload.mix: only with kind mix, not with read")]
    [InlineData("""{"workload":{"mix":{"read":0}}}""", "workload.mix: all weights are 0")]
    [InlineData("""{"workload":{"mix":{"query":1}}}""", "workload.query: is missing: the queries of the mix need it")]
    [InlineData("""{"workload":{"mix":{"insert":1},"query":{"text":"x"}}}""", "workload.query: the mix has no queries")]
    [InlineData("""{"workload":{"mix":{"insert":1},"preload":9}}""",
        "workload.preload: only with kind read, query, delete, patch or replace, not with mix")]
    [InlineData("""{"workload":{"mix":{"insert":9,"read":1}},"container":{"name":"mine"}}""",
        "container.name: not beside a mix that has more than inserts and upserts: its documents are written into a container of the run's "
            + "own")]
    [InlineData("""{"documents":60000000000,"workload":{"mix":{"insert":9,"read":1}}}""",
        "documents: 60,000,000,000 is more than the 1,000,000,000 with which documents are written before the start")]
    [InlineData("""{"simulation":{"burstBank":1}}""", "simulation.burstBank: only with burst true, which says that there is a bank")]
    // Overrides.
    [InlineData("""{"workerOverrides":[{"workers":[0,3],"client":{}},{"workers":[7],"client":{}}]}""",
        "workerOverrides[1].workers[0]: worker 7 does not exist (0..3)")]
    [InlineData("""{"workerOverrides":[{"workers":[0]}]}""",
        "workerOverrides[0]: says nothing about its workers: give client, mix or requestUnitRate")]
    [InlineData("""{"workerOverrides":[{"workers":[0],"mix":{"insert":1}}]}""",
        "workerOverrides[0].mix: only with kind mix, not with insert")]
    [InlineData("""{"workload":{"mix":{"insert":1}},"workerOverrides":[{"workers":[0],"mix":{"read":1}}]}""",
        "workerOverrides[0].mix.read: is not in workload.mix, which has the kinds of all workers: give it a weight there")]
    [InlineData("""{"workload":{"mix":{"insert":1}},"workerOverrides":[{"workers":[0],"mix":{}}]}""",
        "workerOverrides[0].mix: all weights are 0")]
    [InlineData("""{"workload":{"mix":{"insert":1,"read":1},"choose":"zipf"},"workerOverrides":[{"workers":[0],"mix":{"read":1}}]}""",
        "workload.choose: not beside a mix of single workers, each of which works on the documents of its own numbers")]
    [InlineData("""{"workload":{"requestUnitRate":9},"workerOverrides":[{"workers":[0],"requestUnitRate":5}]}""",
        "workerOverrides[0].requestUnitRate: not beside a limit on the RU/s of all workers (workload.requestUnitRate, "
            + "workload.maxRequestUnitShare)")]
    // Several kinds of documents.
    [InlineData("""{"document":{"kind":"mixed"}}""", "document.kinds: is missing: kind mixed needs it")]
    [InlineData("""{"document":{"kind":"device","kinds":[{"weight":1},{"weight":1}]}}""",
        "document.kinds: only with kind mixed, not with device")]
    [InlineData("""{"document":{"kinds":[{"weight":1},{"weight":1,"kind":"csv"}]}}""",
        "document.kinds[1].kind: is perfTest, device or template, not csv")]
    [InlineData("""{"document":{"kinds":[{"weight":1},{"weight":1,"kind":"template"}]}}""",
        "document.kinds[1].template: is missing: kind template needs it")]
    [InlineData("""{"document":{"kinds":[{"weight":1,"template":{"a":"{{key}}"}},{"weight":1,"template":{"b":"{{key}}","id":1}}]}}""",
        "document.kinds[1].template.id: 1 is not a text, as an id must be")]
    [InlineData("""{"document":{"kinds":[{"weight":1,"template":{"id":"a{{number}}"}},{"weight":1,"template":{"id":"a{{id}}"}}]}}""",
        "document.kinds[1].template.id: may be the id of another kind's document: begin the ids of the kinds with different texts, such "
            + "as \"order-\", or leave them out")]
    [InlineData(
        """
        {"document":{"kinds":[{"weight":1},{"weight":1,"template":{"PartitionKey":"{{pick:a,b}}"}}]},"workload":{"kind":"batch"}}
        """,
        "container.partitionKeyPath: /PartitionKey is not {{key}} in the template, but a batch needs one key for all of its documents")]
    // Client settings that Gateway, the simulated account or a container of the run's own does not have.
    [InlineData("""{"client":{"throughputBucket":1}}""",
        "client.throughputBucket: only beside container.name: a container of the run's own has no throughput buckets")]
    [InlineData("""{"client":{"connectionMode":"Gateway","maxRequestsPerConnection":8}}""",
        "client.maxRequestsPerConnection: only with connectionMode Direct, and worker 0 has Gateway, where a connection carries one "
            + "request at a time")]
    [InlineData(
        """{"client":{"connectionMode":"Gateway"},"workerOverrides":[{"workers":[3],"client":{"idleConnectionTimeout":"20min"}}]}""",
        "workerOverrides[0].client.idleConnectionTimeout: only with connectionMode Direct, and worker 3 has Gateway, where the SDK keeps "
            + "connections by rules of its own")]
    [InlineData("""{"client":{"requestTimeout":"5s"},"workerOverrides":[{"workers":[2],"client":{"connectionMode":"Gateway"}}]}""",
        "client.requestTimeout: only with connectionMode Direct, and worker 2 has Gateway, where the SDK has time-outs of its own, up to "
            + "65 s")]
    [InlineData("""{"simulation":{},"workerOverrides":[{"workers":[0],"client":{"preferredRegion":"West Europe"}}]}""",
        "workerOverrides[0].client.preferredRegion: not with the simulated account, which has one region")]
    // A named container.
    [InlineData("""{"container":{"name":"mine","throughput":60000}}""", "container.throughput" + NotBesideName)]
    [InlineData("""{"container":{"name":"mine","autoscale":false}}""", "container.autoscale" + NotBesideName)]
    [InlineData("""{"container":{"name":"mine","indexing":"None"}}""", "container.indexing" + NotBesideName)]
    [InlineData("""{"container":{"name":"mine","excludedPaths":[]}}""", "container.excludedPaths" + NotBesideName)]
    [InlineData("""{"container":{"name":"mine","keep":true}}""", "container.keep" + NotBesideName)]
    [InlineData("""{"container":{"name":"mine","includedPaths":[]}}""", "container.includedPaths" + NotBesideName)]
    [InlineData("""{"container":{"name":"mine","compositeIndexes":["/a, /b"]}}""", "container.compositeIndexes" + NotBesideName)]
    [InlineData("""{"container":{"name":"mine","timeToLive":60}}""", "container.timeToLive" + NotBesideName)]
    [InlineData("""{"container":{"name":"mine","sharedThroughput":true}}""", "container.sharedThroughput" + NotBesideName)]
    [InlineData("""{"container":{"sharedThroughput":true,"throughputSteps":[{"afterSeconds":1,"throughput":1000}]}}""",
        "container.throughputSteps: not beside sharedThroughput: a run does not change its database")]
    // Index and time to live.
    [InlineData("""{"container":{"includedPaths":["/SomeText/?"]}}""", "container.includedPaths[0]: \"/SomeText/?\"" + IndexedAnyway)]
    [InlineData("""{"container":{"excludedPaths":["/a/?"],"includedPaths":["/a/b/?"]}}""",
        "container.includedPaths[0]: \"/a/b/?\"" + IndexedAnyway)]
    [InlineData("""{"container":{"excludedPaths":["/*"],"includedPaths":["/*"]}}""",
        "container.includedPaths[0]: \"/*\" is in excludedPaths too")]
    [InlineData("""{"container":{"excludedPaths":["/a/?"],"includedPaths":["/a/?"]}}""",
        "container.includedPaths[0]: \"/a/?\" is in excludedPaths too")]
    [InlineData("""{"container":{"excludedPaths":["/\"a\"/?"],"includedPaths":["/a/?"]}}""",
        "container.includedPaths[0]: \"/a/?\" is in excludedPaths too")]
    [InlineData("""{"container":{"indexing":"None","excludedPaths":["/*"],"includedPaths":["/a/?"]}}""",
        "container.includedPaths[0]: not with indexing None, which has no index")]
    [InlineData("""{"container":{"indexing":"None","compositeIndexes":["/a, /b"]}}""",
        "container.compositeIndexes[0]: not with indexing None, which has no index")]
    [InlineData("""{"container":{"compositeIndexes":["/a, /b DESC, /a DESC"]}}""", "container.compositeIndexes[0]: has /a twice")]
    [InlineData("""{"container":{"timeToLive":0}}""",
        "container.timeToLive: 0 is no time: give seconds, or -1 if only documents with a ttl expire")]
    // Throughput.
    [InlineData(
        """{"container":{"throughput":1500,"autoscale":true}}""", "container.throughput: 1500 with autoscale is not a multiple of 1000")]
    [InlineData(
        """{"container":{"throughput":900,"autoscale":true}}""", "container.throughput: 900 with autoscale is not a multiple of 1000")]
    [InlineData("""{"container":{"name":"mine","throughputSteps":[{"afterSeconds":1,"throughput":1000}]}}""",
        "container.throughputSteps" + NotBesideName)]
    [InlineData("""{"container":{"throughputSteps":[{"afterSeconds":9,"throughput":1000},{"afterSeconds":9,"throughput":2000}]}}""",
        "container.throughputSteps[1].afterSeconds: 9 is not after the 9 of the step before it")]
    [InlineData("""{"container":{"throughputSteps":[{"afterSeconds":1,"throughput":60000}]}}""",
        "container.throughputSteps[0].throughput: the container has 60000 RU/s already")]
    [InlineData("""{"container":{"throughput":1000,"autoscale":true,"throughputSteps":[{"afterSeconds":1,"throughput":1500}]}}""",
        "container.throughputSteps[0].throughput: 1500 with autoscale is not a multiple of 1000")]
    [InlineData("""{"container":{"throughputSteps":[{"afterSeconds":1,"throughput":1000}]},"workload":{"maxRequestUnitShare":0.5}}""",
        "workload.maxRequestUnitShare: not beside container.throughputSteps, because it is a share of RU/s that stay: use "
            + "workload.requestUnitRate")]
    // Partition key.
    [InlineData("""{"container":{"partitionKeyPath":"/Colour"}}""",
        "container.partitionKeyPath: \"/Colour\" cannot be the key of perfTest documents; /PartitionKey and /id can")]
    [InlineData("""{"container":{"partitionKeyPath":"/partitionkey"}}""",
        "container.partitionKeyPath: \"/partitionkey\" cannot be the key of perfTest documents; /PartitionKey and /id can")]
    [InlineData("""{"document":{"kind":"template","template":{"c":"{{number}}"}},"container":{"partitionKeyPath":"/c"}}""",
        "container.partitionKeyPath: \"/c\" cannot be the key of template documents: its value is a number" + TemplateKey)]
    [InlineData("""{"document":{"kind":"template","template":{"c":{"d":"{{key}}"}}},"container":{"partitionKeyPath":"/c"}}""",
        "container.partitionKeyPath: \"/c\" cannot be the key of template documents: its value is an object" + TemplateKey)]
    [InlineData("""{"workload":{"kind":"batch"},"container":{"partitionKeyPath":"/id"}}""",
        "container.partitionKeyPath: /id differs in every document, but a batch needs one key for all of its")]
    [InlineData("""{"container":{"partitionKeyPath":"/id","partitionKeyPaths":["/PartitionKey","/id"]}}""",
        "container.partitionKeyPaths: not beside partitionKeyPath: give one of the two")]
    [InlineData("""{"container":{"partitionKeyPaths":["/PartitionKey","/Colour"]}}""",
        "container.partitionKeyPaths[1]: \"/Colour\" cannot be a level of the key of perfTest documents; /PartitionKey and /id can")]
    [InlineData("""{"document":{"kind":"device"},"container":{"partitionKeyPaths":["/model","/number","/id"]}}""",
        "container.partitionKeyPaths[1]: \"/number\" cannot be a level of the key of device documents; "
            + "/id and /ownerId and /model and /firmware and /status can")]
    [InlineData(
        """
        {"document":{"kind":"template","template":{"t":"{{pick:a,b}}","u":"{{key}}"}},"container":{"partitionKeyPaths":["/t","/u"]},
        "workload":{"kind":"batch"}}
        """,
        "container.partitionKeyPaths[0]: /t is not {{key}} in the template, but a batch needs one key for all of its documents")]
    // Replaces, and the choice of documents.
    [InlineData("""{"workload":{"matchEtag":true}}""", "workload.matchEtag: only with kind replace, not with insert")]
    [InlineData("""{"workload":{"mix":{"insert":1,"read":1},"matchEtag":true}}""", "workload.matchEtag: the mix has no replaces")]
    [InlineData("""{"workload":{"kind":"replace"},"container":{"name":"mine"}}""",
        "workload.ofRun: is missing: kind replace needs the id of the run that wrote the documents in container.name")]
    [InlineData("""{"workload":{"choose":"zipf"}}""",
        "workload.choose: only with kind read, query, patch or replace, or a mix or an action with one of them, not with insert")]
    [InlineData("""{"workload":{"kind":"delete","choose":"latest"}}""",
        "workload.choose: not with kind delete: each document is deleted once")]
    [InlineData("""{"workload":{"mix":{"insert":1,"delete":1},"choose":"zipf"}}""",
        "workload.choose: the mix has no reads, queries, patches or replaces")]
    [InlineData("""{"workload":{"mix":{"delete":1,"read":1},"choose":"latest"}}""",
        "workload.choose: latest follows the writes of a mix, and this one has no inserts or upserts")]
    // Reads, queries and deletes.
    [InlineData("""{"workload":{"bulk":true}}""", "workload.bulk: only with kind read, delete or mix, not with insert")]
    [InlineData("""{"workload":{"preload":5}}""",
        "workload.preload: only with kind read, query, delete, patch or replace, not with insert")]
    [InlineData("""{"workload":{"ofRun":"r1"},"container":{"name":"mine"}}""",
        "workload.ofRun: only with kind read, query, delete, patch or replace, not with insert")]
    [InlineData("""{"workload":{"kind":"read","ofRun":"r1"}}""",
        "workload.ofRun: only beside container.name: a container of the run's own is filled by the run itself")]
    [InlineData("""{"workload":{"kind":"delete"},"container":{"name":"mine"}}""",
        "workload.ofRun: is missing: kind delete needs the id of the run that wrote the documents in container.name")]
    [InlineData("""{"workload":{"kind":"query","query":{"text":"x","partitionKey":"{{key}}"}},"container":{"name":"mine"}}""",
        "workload.ofRun: is missing: kind query needs the id of the run that wrote the documents in container.name")]
    [InlineData("""{"documents":50,"workload":{"kind":"delete","preload":49}}""",
        "workload.preload: 49 is less than the 50 documents, and each is deleted once")]
    [InlineData("""{"workload":{"kind":"query"}}""", "workload.query: is missing: kind query needs it")]
    [InlineData("""{"workload":{"query":{"text":"x"}}}""", "workload.query: only with kind query, not with insert")]
    [InlineData("""{"workload":{"kind":"query","query":{"text":"x","parameters":[{"name":"@a","value":1},{"name":"@a","value":2}]}}}""",
        "workload.query.parameters[1].name: @a is given twice")]
    [InlineData("""{"workload":{"kind":"query","query":{"text":"x","partitionKey":"a{{key"}}}""",
        "workload.query.partitionKey: '{{' is never closed by '}}' (at character 2)")]
    [InlineData("""{"workload":{"kind":"query","query":{"text":"x","partitionKey":"{{field:Owner}}"}}}""",
        "workload.query.partitionKey: perfTest documents have no field \"Owner\"; they have id, KeyNumber, SomeText, SomeCount, "
            + "PartitionKey")]
    // Steps.
    [InlineData(
        """{"workload":{"steps":[{"duration":"00:00:05"}]}}""", "workload.steps[0]: gives not exactly one of users, concurrency and rate")]
    [InlineData("""{"workload":{"steps":[{"users":1,"rate":2,"duration":"00:00:05"}]}}""",
        "workload.steps[0]: gives not exactly one of users, concurrency and rate")]
    [InlineData("""{"workload":{"steps":[{"users":1,"duration":"00:00:05"},{"rate":1,"duration":"00:00:05"}]}}""",
        "workload.steps[1].rate: all steps have the same measure, and the first one has users")]
    [InlineData("""{"workload":{"steps":[{"users":0,"duration":"00:00:05"}]}}""", "workload.steps: all steps have 0 users")]
    [InlineData("""{"client":{"rate":5},"workload":{"steps":[{"rate":1,"duration":"00:00:05"}]}}""",
        "client.rate: not beside workload.steps, which say the load")]
    [InlineData("""{"client":{"concurrency":5},"workload":{"steps":[{"users":1,"duration":"00:00:05"}]}}""",
        "client.concurrency: not beside workload.steps, which say the users")]
    [InlineData("""{"workerOverrides":[{"workers":[0],"client":{"rate":5}}],"workload":{"steps":[{"rate":1,"duration":"00:00:05"}]}}""",
        "workerOverrides[0].client.rate: not beside workload.steps, which say the load")]
    [InlineData("""{"client":{"rate":5},"workload":{"thinkTime":"00:00:01"}}""",
        "workload.thinkTime: not beside client.rate: an open loop does not wait for responses")]
    [InlineData("""{"workload":{"thinkTime":"00:00:01","steps":[{"rate":1,"duration":"00:00:05"}]}}""",
        "workload.thinkTime: not beside steps with a rate: an open loop does not wait for responses")]
    [InlineData("""{"workload":{"thinkTime":"00:00:16"}}""",
        "workload.thinkTime: 00:00:16 is more than half of legDuration 00:00:30: operation loops begin again with each leg")]
    [InlineData("""{"workload":{"requestUnitRate":100,"maxRequestUnitShare":0.5}}""",
        "workload.maxRequestUnitShare: not beside workload.requestUnitRate, which says the same in RU/s")]
    [InlineData("""{"workload":{"kind":"tableBatch","maxRequestUnitShare":0.5}}""",
        "workload.maxRequestUnitShare: not with kind tableBatch: a table has no RU/s")]
    // Documents.
    [InlineData("""{"document":{"csv":"a.csv"}}""", "document.csv: only with kind csv, not with perfTest")]
    [InlineData("""{"document":{"kind":"device","keyColumn":"Dest"}}""",
        "document.keyColumn: only with kind csv or flights, not with device")]
    [InlineData("""{"document":{"kind":"flights","onBrokenRow":"skip"}}""", "document.onBrokenRow: only with kind csv, not with flights")]
    [InlineData("""{"document":{"kind":"flights","csv":"a.csv"}}""", "document.csv: only with kind csv, not with flights")]
    [InlineData("""{"document":{"kind":"csv","csv":"a.csv"}}""", "document.keyColumn: is missing: kind csv needs it")]
    [InlineData("""{"document":{"kind":"csv","keyColumn":"a"}}""", "document.csv: is missing: kind csv needs it")]
    [InlineData("""{"document":{"kind":"csv","csv":"a.csv","keyColumn":"a"},"container":{"partitionKeyPath":"/b"}}""",
        "container.partitionKeyPath: \"/b\" cannot be the key of csv documents; /a and /id can")]
    [InlineData("""{"document":{"kind":"template"}}""", "document.template: is missing: kind template needs it")]
    [InlineData("""{"document":{"template":{}}}""", "document.template: only with kind template, not with perfTest")]
    [InlineData("""
        {"document":{"kind":"template","template":{"id":"a/{{number}}","k":"{{key}}"}},
         "client":{"connectionMode":"Gateway"},"workload":{"kind":"read"}}
        """,
        "document.template.id: has one of /\\?#, and through Gateway no document with such an id can be addressed; use Direct")]
    [InlineData("""
        {"document":{"kind":"template","template":{"id":"{{number}}-{{pick:a,b#}}","k":"{{key}}"}},"workload":{"kind":"delete"},
         "workerOverrides":[{"workers":[1],"client":{"connectionMode":"Gateway"}}]}
        """,
        "document.template.id: has one of /\\?#, and through Gateway no document with such an id can be addressed; use Direct")]
    [InlineData("""{"document":{"kind":"flights","keyColumn":"Orgin"}}""",
        "document.keyColumn: generated rows have no column \"Orgin\"; did you mean 'Origin'?")]
    [InlineData("""{"document":{"kind":"device"},"workload":{"kind":"batch"}}""",
        "container.partitionKeyPath: /id differs in every document, but a batch needs one key for all of its")]
    [InlineData("""{"document":{"kind":"template","template":{"pk":"{{pick:a,"""
            + """b}}"}},"container":{"partitionKeyPath":"/pk"},"workload":{"kind":"batch"}}""",
        "container.partitionKeyPath: /pk is not {{key}} in the template, but a batch needs one key for all of its documents")]
    // Consistency.
    [InlineData(
        """{"client":{"consistency":"Strong"},"simulation":{}}""", "client.consistency: Strong is stronger than the account's Session")]
    [InlineData("""{"client":{"consistency":"Session"},"simulation":{"consistency":"Eventual"}}""",
        "client.consistency: Session is stronger than the account's Eventual")]
    [InlineData("""{"workerOverrides":[{"workers":[0],"client":{"consistency":"BoundedStaleness"}}],"simulation":{}}""",
        "workerOverrides[0].client.consistency: BoundedStaleness is stronger than the account's Session")]
    // Rules of simulation.faults.
    [InlineData("""{"simulation":{"faults":[{}]}}""", "simulation.faults[0]: does nothing: give status, delayMs or closeConnection")]
    [InlineData("""{"simulation":{"faults":[{"status":429},{"closeConnection":false}]}}""",
        "simulation.faults[1]: does nothing: give status, delayMs or closeConnection")]
    [InlineData("""{"simulation":{"faults":[{"delayMs":5,"subStatus":3200}]}}""", "simulation.faults[0].subStatus: only beside status")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"fromSeconds":2.5,"untilSeconds":2.5}]}}""",
        "simulation.faults[0].untilSeconds: 2.5 is not after fromSeconds 2.5")]
    [InlineData("""{"simulation":{"faults":[{"status":449,"afterOperation":true}]}}""",
        "simulation.faults[0].afterOperation: 449 says that the operation was not done: use another status, such as 408 or 503")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"untilSeconds":0}]}}""",
        "simulation.faults[0].untilSeconds: 0 is not after fromSeconds 0")]
    [InlineData("""{"simulation":{"faults":[{"status":429,"partition":10}]}}""",
        "simulation.faults[0].partition: partition 10 does not exist (0..9)")]
    [InlineData("""{"simulation":{"physicalPartitions":2,"splits":[{"afterSeconds":1,"partition":2}]}}""",
        "simulation.splits[0].partition: partition 2 does not exist then (0..1)")]
    [InlineData("""{"simulation":{"physicalPartitions":2,"splits":[{"afterSeconds":5,"partition":0},{"afterSeconds":1,"partition":3}]}}""",
        "simulation.splits[1].partition: partition 3 does not exist then (0..1)")]
    [InlineData("""{"simulation":{"physicalPartitions":2,"splits":[{"afterSeconds":1,"partition":0},{"afterSeconds":2,"partition":0}]}}""",
        "simulation.splits[1].partition: partition 0 is split already")]
    [InlineData("""{"simulation":{"physicalPartitions":3,"merges":[{"afterSeconds":1,"partition":2}]}}""",
        "simulation.merges[0].partition: no partition follows partition 2 then, with which it could be merged")]
    [InlineData("""{"simulation":{"physicalPartitions":2,"merges":[{"afterSeconds":1,"partition":0},{"afterSeconds":2,"partition":1}]}}""",
        "simulation.merges[1].partition: partition 1 is merged already")]
    [InlineData("""{"simulation":{"merges":[{"afterSeconds":1,"partition":0}]},"container":{"throughput":12000}}""",
        "simulation.merges[0].partition: 1 of the partitions would be left then, too few for 12000 RU/s")]
    [InlineData("""{"simulation":{"physicalPartitions":2,"faults":[{"status":429,"partition":2}]}}""",
        "simulation.faults[0].partition: partition 2 does not exist (0..1)")]
    public void Read_BrokenRule_IsAnErrorThatNoSchemaSees(string json, string expected)
    {
        var error = Assert.Single(RunSpecReader.Read(json).Errors);
        Assert.Equal(expected, error.ToString());
        Assert.True(error.BeyondSchema);
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
    [InlineData("""{"simulation":{"physicalPartitions":2,"splits":[{"afterSeconds":1,"partition":0},"""
            + """{"afterSeconds":2,"partition":3}],"faults":[{"status":429,"partition":5}]}}""")]
    // Partition 0 is split into 2 and 3, then 3 and 1 are merged to 4, at last 2 and 4 to 5.
    [InlineData("""{"simulation":{"physicalPartitions":2,"splits":[{"afterSeconds":1,"partition":0}],"""
            + """ "merges":[{"afterSeconds":3,"partition":2},{"afterSeconds":2,"partition":3}],"""
            + """ "faults":[{"status":429,"partition":5}]}}""")]
    [InlineData("""{"simulation":{"merges":[{"afterSeconds":1,"partition":0}]},"container":{"throughput":30000}}""")]
    [InlineData("""{"workload":{"kind":"read","preload":10}}""")]
    [InlineData("""{"workload":{"kind":"delete","bulk":true,"ofRun":"r1","batchSize":50},"container":{"name":"mine"}}""")]
    [InlineData("""{"workload":{"kind":"query","query":{"text":"SELECT * FROM c WHERE c.n = """
            + """@n","parameters":[{"name":"@n","value":"{{number}}"}]}},"container":{"name":"mine"}}""")]
    [InlineData("""{"document":{"kind":"device"},"workload":{"kind":"query","query":{"text":"x","""
            + """ "partitionKey":"{{field:location}}{{field:id}}"}}}""")]
    [InlineData("""{"document":{"kind":"csv","csv":"a.csv","keyColumn":"id"},"workload":{"kind":"query","query":{"text":"x","""
            + """ "partitionKey":"{{field:any}}"}}}""")]
    [InlineData("""{"workload":{"thinkTime":"00:00:01","steps":[{"users":1,"duration":"00:01:00"},{"users":40,"duration":"00:01:00"}]}}""")]
    [InlineData("""{"client":{"concurrency":50},"workload":{"steps":[{"rate":0.5,"duration":"00:01:00"}]}}""")]
    [InlineData("""{"document":{"kind":"device"},"container":{"partitionKeyPath":"/ownerId"}}""")]
    [InlineData("""{"document":{"kind":"flights","columns":["Dest","Distance"],"keyColumn":"Dest"},"workload":{"kind":"batch"}}""")]
    [InlineData("""{"document":{"kind":"csv","csv":"a.csv","columns":["any """
            + """thing"],"keyColumn":"airport","onBrokenRow":"skip"},"workload":{"kind":"batch"}}""")]
    [InlineData("""{"document":{"kind":"template","template":{"k":"{{key}}"}},"workload":{"kind":"batch"}}""")]
    public void Read_JustWithinTheRules_IsValid(string json) => Assert.Empty(RunSpecReader.Read(json).Errors);

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
    public void Read_RuleOnAnInvalidField_ReportsOnlyTheField(string json, string path) =>
        Assert.Equal(path, Assert.Single(RunSpecReader.Read(json).Errors).Path);

    [Fact]
    public void Read_SimulationForAnotherAccount_IsAnError()
    {
        Assert.Equal("simulation: only with the simulated account",
            Assert.Single(RunSpecReader.Read("""{"simulation":{}}""", RunTarget.OtherAccount).Errors).ToString());
        Assert.Empty(RunSpecReader.Read("""{"simulation":null,"client":{"consistency":"Strong"}}""", RunTarget.OtherAccount).Errors);
    }

    [Fact]
    public void Read_NoSimulationForTheSimulatedAccount_HasItsDefaultConsistency() => Assert.Equal(
        "client.consistency: Strong is stronger than the account's Session",
        Assert.Single(RunSpecReader.Read("""{"client":{"consistency":"Strong"}}""", RunTarget.SimulatedAccount).Errors).ToString());

    /// <summary>What every document of the run would be rejected for is an error of the spec.</summary>
    [Theory]
    [InlineData("id", "\"{{number}}-{{random:text:1020}}\"", "may become longer than the 1023 bytes that an id may have")]
    [InlineData("id", "\"{{id}}{{random:text:988}}\"", "may become longer than the 1023 bytes that an id may have")]
    [InlineData("id", "\"{{id}}{{random:text:987}}\"", null)]
    [InlineData("ttl", "\"soon\"", "\"soon\" is no time to live: a whole number of seconds above 0, or -1")]
    [InlineData("ttl", "\"{{number}}\"", "\"{{number}}\" is no time to live: a whole number of seconds above 0, or -1")]
    [InlineData("ttl", "true", "true is no time to live: a whole number of seconds above 0, or -1")]
    [InlineData("ttl", "1.5", "1.5 is no time to live: a whole number of seconds above 0, or -1")]
    [InlineData("ttl", "0", "0 is no time to live: a whole number of seconds above 0, or -1")]
    [InlineData("ttl", "-1", null)]
    [InlineData("ttl", "3600", null)]
    [InlineData("ttl", "null", null)]
    [InlineData("ttl", "\"{{random:int:60:600}}\"", null)]
    public void Read_TemplateThatTheAccountRejects_IsAnError(string property, string value, string? expected)
    {
        var json = $"{{\"document\":{{\"kind\":\"template\",\"template\":{{\"{property}\":{value},\"k\":\"{{{{key}}}}\"}}}}}}";
        Assert.Equal(
            expected is null ? [] : [$"document.template.{property}: {expected}"],
            RunSpecReader.Read(json).Errors.Select(error => error.ToString()));
    }

    [Fact]
    public void Read_InvalidTemplate_NamesEachErrorByItsPlace()
    {
        const string json =
            """
            {"document":{"kind":"template","template":{
                "id": "one",
                "n{{number}}": 1,
                "address": { "street": "a {{nmber}}", "zips": ["{{random:int:9:1}}", "{{random:text:0}}"] },
                "open": "x {{key",
                "colour": "{{pick:a,,b}} and {{pick}}"
            }}}
            """;
        const string known = "there are {{number}}, {{guid}}, {{id}}, {{key}}, {{random:int:1:100}}, {{random:number:0:1}}, "
            + "{{random:text:12}}, {{random:bool}}, {{pick:a,b,c}}, {{zipf:1:20000:1.1}}";

        Assert.Equal(
            [
                "document.template.id: may be the same in several documents: use {{id}}, {{guid}} or {{number}}, and not {{key}}",
                "document.template[\"n{{number}}\"]: placeholders stand in values, not in names",
                $"document.template.address.street: there is no placeholder \"{{{{nmber}}}}\"; {known} (at character 3)",
                "document.template.address.zips[0]: the range 9 to 1 is empty (at character 1)",
                "document.template.address.zips[1]: 0 characters are out of range 1..10000 (at character 1)",
                "document.template.open: '{{' is never closed by '}}' (at character 3)",
                "document.template.colour: \"{{pick:a,,b}}\" has an empty choice; write {{pick:a,b,c}} (at character 1)",
                $"document.template.colour: there is no placeholder \"{{{{pick}}}}\"; {known} (at character 19)",
            ],
            RunSpecReader.Read(json).Errors.Select(error => error.ToString()));
    }
}
