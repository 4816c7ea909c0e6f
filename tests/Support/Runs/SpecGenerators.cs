using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Support.Runs;

public static class SpecGenerators
{
    /// <summary>Any spec that validation accepts, whatever the target.</summary>
    public static Arbitrary<RunSpec> ValidSpecs { get; } =
        Gen.Choose(0, int.MaxValue).Select(seed => Valid(new Random(seed))).ToArbitrary();

    public static RunSpec Valid(Random random)
    {
        var simulation = Maybe(random, () => Simulation(random));
        var strongest = simulation is null ? ConsistencyLevel.Strong : simulation.Consistency ?? SimulationSpec.DefaultConsistency;
        var documents = random.NextInt64(1, random.Next(2) == 0 ? 1_000 : 1_000_000_000);
        var legDuration = Duration(random, 1, 20 * 60);
        var workload = Workload(random, documents);
        if (workload.ThinkTime * 2 > legDuration)
            workload = workload with { ThinkTime = TimeSpan.FromTicks(legDuration.Ticks / 2) };
        var document = Document(random);
        if (workload.DocumentsPerOperation > 1 && document.Kind == DocumentKind.Device)
            document = new DocumentSpec();
        var operations = (documents + workload.DocumentsPerOperation - 1) / workload.DocumentsPerOperation;
        var workers = random.Next(1, (int)Math.Min(1_000, operations) + 1);
        var container = Container(random, workload, document);
        if (workload.Mix is not null || workload is { Action: not null, NeedsDocuments: true, LeavesCount: false })
            container = new ContainerSpec();
        else if (workload.NeedsDocuments && container.Name is not null)
            workload = workload with { OfRun = "earlier-1", BatchSize = MaybeValue(random, () => random.Next(1, 101)) };
        var onlyOther = workload.Steps is not null || workload.ThinkTime > TimeSpan.Zero;
        var spec = new RunSpec
        {
            Id = Maybe(random, () => $"r{random.Next()}-{random.Next(10)}"),
            Name = Maybe(random, () => Pick(random, "", "a \"quoted\" name", "näme mit ß 🚀", new string('x', 200))),
            Documents = documents,
            Workers = workers,
            Workload = workload,
            Document = document,
            Client = Client(random, strongest, onlyOther),
            WorkerOverrides = [.. Enumerable.Range(0, random.Next(4)).Select(_ => Override(random, workers, strongest, onlyOther))],
            Container = container,
            LegDuration = legDuration,
            Warmup = Duration(random, 0, 10 * 60),
            StartTimeout = Duration(random, 1, 30 * 60),
            Seed = random.Next(int.MinValue, int.MaxValue),
            Simulation = simulation is null ? null : Change(random, simulation with { Faults = Faults(random, simulation, container) }),
        };
        return workload.Kind.UsesTables() ? ForTables(random, spec) : spec;
    }

    /// <summary>The spec without what a table does not have.</summary>
    private static RunSpec ForTables(Random random, RunSpec spec) => spec with
    {
        Document = spec.Document.Csv is not null || spec.Document.Kinds is not null || spec.Workload.DocumentsPerOperation > 1
            ? new DocumentSpec()
            : spec.Document,
        Container = new ContainerSpec { Keep = random.Next(2) == 0 },
        Client = spec.Client with { Consistency = null, ContentResponseOnWrite = false, Priority = null },
        WorkerOverrides = [],
        Simulation = null,
    };

    private static WorkloadSpec Workload(Random random, long documents)
    {
        var kind = Pick(random, Enum.GetValues<WorkloadKind>());
        var mix = kind == WorkloadKind.Mix ? Mix(random) : null;
        var action = kind == WorkloadKind.Action ? Action(random) : null;
        var steps = Steps(random);
        bool Has(WorkloadKind one) => kind == one || mix?.ShareOf(one) > 0 || action?.Contains(one) == true;
        var addressesAny = kind.AddressesAnyDocument() || action?.Any(WorkloadKinds.AddressesAnyDocument) == true;
        var deletesEach = mix is null && Has(WorkloadKind.Delete);
        return new WorkloadSpec
        {
            Kind = kind,
            Mix = mix,
            Action = action,
            BatchSize = kind.WritesBatches() ? MaybeValue(random, () => random.Next(1, 101)) : null,
            Bulk = kind is WorkloadKind.Read or WorkloadKind.Delete or WorkloadKind.Mix && random.Next(2) == 0,
            Preload = addressesAny || deletesEach ? MaybeValue(random, () => documents + random.Next(1_000)) : null,
            Choose = (addressesAny && !deletesEach) || mix is { Read: > 0 } ? Pick(random, Enum.GetValues<DocumentOrder>()) : default,
            MatchEtag = Has(WorkloadKind.Replace) && random.Next(2) == 0,
            Query = Has(WorkloadKind.Query) ? Query(random) : null,
            ThinkTime = steps?[0].Rate is null && random.Next(3) == 0 ? Duration(random, 1, 9 * 60) : TimeSpan.Zero,
            Steps = steps,
        };
    }

    private static List<WorkloadKind> Action(Random random)
    {
        IReadOnlyList<WorkloadKind> kinds = random.Next(3) == 0
            ? [WorkloadKind.Insert, WorkloadKind.Upsert, WorkloadKind.Query]
            : [WorkloadKind.Insert, WorkloadKind.Upsert, WorkloadKind.Query, WorkloadKind.Read, WorkloadKind.Patch, WorkloadKind.Replace];
        List<WorkloadKind> steps = [.. Enumerable.Range(0, random.Next(1, 20)).Select(_ => kinds[random.Next(kinds.Count)])];
        return kinds.Count > 3 || random.Next(2) == 0 ? steps : [.. steps, WorkloadKind.Delete];
    }

    private static MixSpec Mix(Random random) => new()
    {
        Insert = random.Next(1, 100), Upsert = random.Next(2), Patch = random.Next(3), Read = random.Next(2) * random.Next(1_001),
        Query = random.Next(2), Delete = random.Next(4), Replace = random.Next(3),
    };

    private static QuerySpec Query(Random random) => new()
    {
        Text = Pick(random, "SELECT * FROM c", "SELECT * FROM c WHERE c.ownerId = @owner"),
        Parameters = random.Next(3) == 0
            ? null
            : [new QueryParameterSpec { Name = "@owner", Value = Pick(random, "\"{{key}}\"", "\"x {{pick:a,b}}\"", "5", "-1.5", "true") }],
        MaxConcurrency = MaybeValue(random, () => random.Next(-1, 100)),
        PartitionKey = Maybe(random, () => Pick(random, "{{key}}", "one")),
        PageSize = MaybeValue(random, () => random.Next(1, 1_001)),
    };

    private static StepSpec[]? Steps(Random random)
    {
        if (random.Next(3) > 0)
            return null;
        var measure = random.Next(3);
        return
        [
            .. Enumerable.Range(0, random.Next(1, 4)).Select(_ => new StepSpec
            {
                Users = measure == 0 ? random.Next(1, 100) : null,
                Concurrency = measure == 1 ? random.Next(1, 100) : null,
                Rate = measure == 2 ? 1 - random.NextDouble() : null,
                Duration = TimeSpan.FromSeconds(random.Next(1, 86_400)),
            }),
        ];
    }

    private static DocumentSpec Document(Random random)
    {
        var kind = Pick(random, Enum.GetValues<DocumentKind>());
        if (kind == DocumentKind.Template)
        {
            return new DocumentSpec
            {
                Kind = kind,
                Template = Pick(random, """{"pk":"{{key}}","n":"{{number}}"}""",
                    """{"id":"n{{number}}","pk":"{{key}}","a":{"b":["{{random:int:-5:5}}",1.50,null]}}"""),
            };
        }

        if (kind == DocumentKind.Mixed)
        {
            return new DocumentSpec
            {
                Kinds =
                [
                    new() { Weight = random.Next(1, 1_001), Template = """{"pk":"{{key}}","n":"{{number}}"}""" },
                    new() { Weight = random.Next(1, 1_001), Template = """{"id":"n{{number}}","pk":"{{key}}","a":true}""" },
                ],
            };
        }

        var csv = kind == DocumentKind.Csv;
        if (!csv && kind != DocumentKind.Flights)
            return new DocumentSpec { Kind = kind };
        return new DocumentSpec
        {
            Kind = kind,
            Csv = csv ? "flights.csv" : null,
            Columns = random.Next(2) == 0 ? null : csv ? ["a column", "b"] : ["Origin", "Distance"],
            KeyColumn = csv ? "airport" : Maybe(random, () => "Dest"),
            OnBrokenRow = csv ? MaybeValue(random, () => Pick(random, Enum.GetValues<BrokenRowRule>())) : null,
        };
    }

    private static ClientSpec Client(Random random, ConsistencyLevel strongest, bool onlyOther) => new()
    {
        ConnectionMode = Pick(random, Enum.GetValues<ConnectionMode>()),
        Concurrency = onlyOther ? null : MaybeValue(random, () => random.Next(1, 100_001)),
        Consistency = MaybeValue(random, () => NoStrongerThan(random, strongest)),
        MaxConnections = MaybeValue(random, () => random.Next(1, 65_536)),
        Priority = MaybeValue(random, () => Pick(random, Enum.GetValues<RequestPriority>())),
        ContentResponseOnWrite = random.Next(2) == 0,
        Rate = onlyOther ? null : MaybeValue(random, () => 1_000_000 * (1 - random.NextDouble())),
        Cores = MaybeValue(random, () => random.Next(1, 1_025)),
    };

    private static WorkerOverride Override(Random random, int workers, ConsistencyLevel strongest, bool onlyOther) => new()
    {
        Workers = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => random.Next(workers)).Distinct()],
        Client = Client(random, strongest, onlyOther) with
        {
            ConnectionMode = MaybeValue(random, () => Pick(random, Enum.GetValues<ConnectionMode>())),
            ContentResponseOnWrite = MaybeValue(random, () => random.Next(2) == 0),
        },
    };

    private static ContainerSpec Container(Random random, WorkloadSpec workload, DocumentSpec document)
    {
        var shape = DocumentShape.From(document);
        var keys = workload.DocumentsPerOperation > 1 ? shape.BatchKeyPaths : shape.PartitionKeyPaths;
        var container = new ContainerSpec
        {
            Database = Pick(random, "scaleout", "db 1", "übung"), PartitionKeyPath = Maybe(random, () => Pick(random, [.. keys])),
        };
        if (keys.Count > 1 && random.Next(3) == 0)
            container = container with { PartitionKeyPath = null, PartitionKeyPaths = [.. keys.Concat(Levels()).Take(random.Next(2, 4))] };
        if (random.Next(3) == 0)
            return container with { Name = Pick(random, "existing", "with space", new string('n', 255)) };

        var autoscale = random.Next(2) == 0;
        var indexing = Pick(random, Enum.GetValues<IndexingMode>());
        var hasIndex = indexing != IndexingMode.None;
        string[] excluded = [.. new[] { "/SomeText/?", "/*", "/\"with / slash\"/*", "/a/[]/b/?" }.Where(_ => random.Next(3) == 0)];
        return container with
        {
            Autoscale = autoscale,
            Throughput = autoscale ? random.Next(1, 10_001) * 1_000 : random.Next(4, 100_001) * 100,
            Indexing = indexing,
            ExcludedPaths = excluded,
            IncludedPaths = hasIndex && excluded.Contains("/*") && random.Next(2) == 0 ? ["/KeyNumber/?", "/a/*"] : [],
            CompositeIndexes = hasIndex && random.Next(3) == 0 ? ["/SomeText, /KeyNumber DESC", "/a/b ASC, /c"] : [],
            TimeToLive = MaybeValue(random, () => Pick(random, -1, 1, int.MaxValue)),
            Keep = random.Next(2) == 0,
        };

        IReadOnlyList<string> Levels() => workload.DocumentsPerOperation > 1 ? [] : shape.LevelPaths;
    }

    private static SimulationSpec Simulation(Random random) => new()
    {
        PhysicalPartitions = MaybeValue(random, () => random.Next(1, 4_097)),
        Latency = Maybe(random, () => random.Next(2) == 0
            ? Pick(random, [.. LatencyProfile.Named])
            : new LatencyProfile
            {
                RoundTripMs = random.Next(10_001), GatewayHopMs = random.NextDouble(), WriteMedianMs = 4.25, ReadMedianMs = 0,
                LogStandardDeviation = Pick(random, [0.35, 2, random.NextDouble()]),
                PerKilobyteMs = random.Next(2) / 8.0,
                PerBatchOperationMs = random.Next(3),
                LoadFactor = random.Next(101),
                TailShare = random.Next(2) / 16.0,
                TailFactor = 1 + random.Next(1_000),
                WriteQuantiles = Maybe(random, () => (IReadOnlyList<LatencyQuantile>)[new(0.5, 3.5), new(0.99, 12), new(0.999, 12)]),
                ReadQuantiles = Maybe(random, () => (IReadOnlyList<LatencyQuantile>)[new(1e-3, 0.25), new(0.5, 10_000)]),
            }),
        Throttling = Maybe(random, () => new ThrottlingSpec
        {
            RetryAfterMinMs = random.Next(1, 100), RetryAfterMaxMs = random.Next(100, 60_001), RetryAfterSpread = random.NextDouble(),
        }),
        Consistency = MaybeValue(random, () => Pick(random, Enum.GetValues<ConsistencyLevel>())),
        Burst = random.Next(2) == 0,
        SplitDelay = TimeSpan.FromSeconds(random.Next(3) * 1_800),
        StorageFactor = random.Next(3) == 0 ? random.Next(1, 1_000_000_001) : 1,
        Charges = random.Next(4) == 0 ? Charges(random) : null,
        Profile = Maybe(random, () => new ProfileReference
        {
            Name = "orders of a day", MeasuredAt = "2026-02-28T23:59:59Z", Account = "orders.documents.azure.com",
            Region = Maybe(random, () => "West Europe"),
        }),
    };

    private static ChargeSpec Charges(Random random) => new()
    {
        ReadPoints = Maybe(random, () => new SizeCharge[] { new(1 + random.Next(2_000), 0.5 + random.Next(3)), new(4_096, 4) }),
        WritePoints = Maybe(random, () => new SizeCharge[] { new(1_024, 5), new(2_048, 5 + random.NextDouble()), new(4_194_304, 100_000) }),
        PerIndexEntry = MaybeValue(random, () => random.NextDouble()),
        SystemPropertyBytes = MaybeValue(random, () => random.Next(500)),
        PerPatchedProperty = MaybeValue(random, () => 0.4),
        Query = Maybe(random, () => new QueryCharges
        {
            Page = random.NextDouble() * 10, FirstLookup = random.NextDouble(), Kilobyte = random.NextDouble(), Found = 0,
        }),
    };

    /// <summary>Adds splits, or merges if there are partitions to be merged.</summary>
    private static SimulationSpec Change(Random random, SimulationSpec simulation) =>
        simulation.PhysicalPartitions > 1 && random.Next(3) == 0
        ? simulation with { Merges = [new PlannedMerge { AfterSeconds = random.Next(40) / 4.0, Partition = 0 }] }
        : simulation with { Splits = Splits(random) };

    private static PartitionSplit[] Splits(Random random) => [.. Enumerable.Range(0, random.Next(3)).Select(
        i => new PartitionSplit { AfterSeconds = (10 * i) + random.Next(40) / 4.0, Partition = i == 0 ? 0 : 2 })];

    private static FaultRule[] Faults(Random random, SimulationSpec simulation, ContainerSpec container) =>
    [
        .. Enumerable.Range(0, random.Next(3)).Select(_ =>
        {
            var from = random.Next(100) / 4.0;
            var status = MaybeValue(random, () => random.Next(400, 600));
            return new FaultRule
            {
                Operation = MaybeValue(random, () => Pick(random, Enum.GetValues<FaultOperation>())),
                ConnectionMode = MaybeValue(random, () => Pick(random, Enum.GetValues<ConnectionMode>())),
                Partition = MaybeValue(random, () => random.Next(simulation.PartitionsFor(container))),
                FromSeconds = from,
                UntilSeconds = MaybeValue(random, () => from + 0.5),
                Probability = 1 - random.NextDouble(),
                MaxHits = MaybeValue(random, () => random.NextInt64(1, 1_000_000_000_001)),
                Status = status,
                SubStatus = status is null ? null : MaybeValue(random, () => random.Next(25_000)),
                DelayMs = status is null ? 12.5 : null,
                CloseConnection = random.Next(2) == 0,
                AfterOperation = status is not (410 or 429 or 449) && random.Next(2) == 0,
            };
        }),
    ];

    private static ConsistencyLevel NoStrongerThan(Random random, ConsistencyLevel strongest) =>
        Pick(random, [.. Enum.GetValues<ConsistencyLevel>().Where(level => level >= strongest)]);

    private static TimeSpan Duration(Random random, int minimum, int maximum) =>
        random.Next(2) == 0
            ? TimeSpan.FromSeconds(random.Next(minimum, maximum + 1))
            : TimeSpan.FromSeconds(minimum) + TimeSpan.FromTicks(random.NextInt64(1, TimeSpan.TicksPerMinute));

    private static T Pick<T>(Random random, params T[] values) => values[random.Next(values.Length)];

    private static T? Maybe<T>(Random random, Func<T> make) where T : class => random.Next(2) == 0 ? null : make();

    private static T? MaybeValue<T>(Random random, Func<T> make) where T : struct => random.Next(2) == 0 ? null : make();
}
