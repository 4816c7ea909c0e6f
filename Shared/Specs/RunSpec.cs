namespace ScaleOut.Specs;

/// <summary>One measured configuration: workers write documents to one container.</summary>
[SpecDocument(
    "Spec of a run", "Workers write documents to one container. Rules that span several fields are checked when the spec is read.")]
public sealed record RunSpec
{
    private const int FewWorkers = 20;
    private const double MinDefaultStartSeconds = 180;
    private const double MaxDefaultStartSeconds = 900;
    private const double StartSecondsPerWorker = 3;

    /// <summary>Maximum number of documents of a run.</summary>
    public const long MaxDocuments = 1_000_000_000_000;

    /// <summary>Maximum number of documents of a run some of which are written before the start.</summary>
    public const long MaxWithPreload = 1_000_000_000;

    /// <summary>Maximum number of workers of a run.</summary>
    public const int MaxWorkers = 1_000;

    /// <summary>Maximum length of <see cref="Name"/>, in characters.</summary>
    public const int MaxNameLength = 200;

    /// <summary>Maximum <see cref="LegDuration"/>, in seconds.</summary>
    public const int MaxLegSeconds = 20 * 60;

    /// <summary>Maximum <see cref="StartTimeout"/>, in seconds.</summary>
    public const int MaxStartTimeoutSeconds = 30 * 60;

    /// <summary>Default <see cref="LegDuration"/> on the dev box.</summary>
    public static readonly TimeSpan DefaultLegDuration = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Default <see cref="LegDuration"/> in Azure. It is longer because each leg costs the dispatch of an activity, and instances are not
    /// lost every few minutes.
    /// </summary>
    public static readonly TimeSpan DefaultLegDurationInAzure = TimeSpan.FromMinutes(5);

    [SpecField("Run id; made from the time when left out.", Form = FormName.RunId)]
    public string? Id { get; init; }

    [SpecField("Free text for the report.", MaxLength = MaxNameLength)]
    public string? Name { get; init; }

    [SpecField("Documents to write, or operations on those that are there.", Min = 1, Max = MaxDocuments)]
    public long Documents { get; init; } = 1_000_000;

    [SpecField("Workers that share them; no more than there are documents, or batches.", Min = 1, Max = MaxWorkers)]
    public int Workers { get; init; } = 4;

    [SpecField("What the workers do.")]
    public WorkloadSpec Workload { get; init; } = new();

    [SpecField("Which documents there are.")]
    public DocumentSpec Document { get; init; } = new();

    [SpecField("Client settings of every worker.")]
    public ClientSpec Client { get; init; } = ClientSpec.Defaults;

    [SpecField("Other client settings, and parts of the workload, for single workers, applied in order.", MaxItems = MaxWorkers)]
    public IReadOnlyList<WorkerOverride> WorkerOverrides { get; init; } = [];

    [SpecField("The container that they write to.")]
    public ContainerSpec Container { get; init; } = new();

    /// <summary>The default in Azure is <see cref="DefaultLegDurationInAzure"/>. A lost worker costs at most one leg.</summary>
    [SpecField("Time after which a leg takes no more documents; in Azure 5 minutes if left out.", Min = 1, Max = MaxLegSeconds)]
    public TimeSpan LegDuration { get; init; } = DefaultLegDuration;

    [SpecField("Time after the start that is left out of every rate.", Min = 0, Max = 10 * 60)]
    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>
    /// After this time the workers that are ready start without the missing ones, once they have written the preload of these. The default
    /// grows by 3 s with each worker above 20, up to 15 min, because Azure adds instances one by one.
    /// </summary>
    [SpecField("How long workers wait for each other before the start; when left out 3 min, and longer above 20 workers.",
        Min = 1, Max = MaxStartTimeoutSeconds)]
    public TimeSpan? StartTimeout { get; init; }

    [SpecField("Seed of the simulated account's latency and faults.")]
    public int Seed { get; init; } = 1;

    [SpecField("Physics of the simulated account; an error with any other.")]
    public SimulationSpec? Simulation { get; init; }

    /// <summary><see cref="StartTimeout"/>, or its default for the number of workers.</summary>
    public TimeSpan StartTimeoutInEffect() => StartTimeout ?? DefaultStartTimeout(Workers);

    /// <summary>
    /// The account that the run uses on a host with a target. A run that writes to tables never uses the simulated account.
    /// </summary>
    public RunTarget TargetAmong(RunTarget target) => Workload.Kind.UsesTables() ? RunTarget.OtherAccount : target;

    /// <summary>Name of the container or table that a run with this id writes to.</summary>
    public string StoreNameFor(string runId) => Workload.Kind.UsesTables() ? TableNames.From(runId) : Container.NameFor(runId);

    /// <summary>
    /// Whether the spec says the RU/s of the container: not those of an existing one, nor those that a database shares, which only the
    /// simulated account makes for a run.
    /// </summary>
    public bool SaysThroughput(RunTarget target) => Container.Name is null
        && (!Container.SharedThroughput || target == RunTarget.SimulatedAccount || Simulation is not null);

    /// <inheritdoc cref="SaysThroughput(RunTarget)"/>
    public bool SaysThroughput(bool simulated) => SaysThroughput(simulated ? RunTarget.SimulatedAccount : RunTarget.OtherAccount);

    /// <summary>Whether reads and queries ask two replicas, which costs twice the RU. False if the spec gives no consistency.</summary>
    public bool AsksTwoReplicas() => (Client.Consistency ?? Simulation?.Consistency)?.AsksTwoReplicas() == true;

    /// <summary>Whether the account's consistency is strong. False if the spec gives none.</summary>
    public bool IsStrong() => Simulation?.Consistency == ConsistencyLevel.Strong || Client.Consistency == ConsistencyLevel.Strong;

    /// <summary>Most operations of the run, with those that write documents before it; null if steps decide how many there are.</summary>
    public long? MostOperations() =>
        Workload.Steps is null ? (Documents * (Workload.Action?.Count ?? 1)) + (Workload.Preload ?? 0) : null;

    private static TimeSpan DefaultStartTimeout(int workers)
    {
        var seconds = MinDefaultStartSeconds + (StartSecondsPerWorker * Math.Max(0, workers - FewWorkers));
        return TimeSpan.FromSeconds(Math.Min(seconds, MaxDefaultStartSeconds));
    }

    /// <summary>Returns the spec without id and name, so that specs that ask for the same are equal.</summary>
    public RunSpec Unnamed() => this with { Id = null, Name = null };
}

/// <summary>The account that a run uses, as far as it is known when the spec is read.</summary>
public enum RunTarget
{
    /// <summary>Not known. A spec with <see cref="RunSpec.Simulation"/> counts as a simulated run; others may use any account.</summary>
    Undecided,

    /// <summary>The simulated account, with defaults for what <see cref="RunSpec.Simulation"/> leaves out.</summary>
    SimulatedAccount,

    /// <summary>A real account or an emulator: <see cref="RunSpec.Simulation"/> is an error.</summary>
    OtherAccount,
}

/// <summary>Other settings for some workers of a run, such as readers beside writers.</summary>
public sealed record WorkerOverride
{
    [SpecField("Indices of the workers, from 0.",
        Min = 0, Max = RunSpec.MaxWorkers - 1, MinItems = 1, MaxItems = RunSpec.MaxWorkers, Unique = true)]
    public required IReadOnlyList<int> Workers { get; init; }

    [SpecField("The client settings that differ.", Partial = typeof(ClientSpec))]
    public ClientSpec Client { get; init; } = new();

    [SpecField("What these workers do in place of workload.mix, which has the kinds of all workers.")]
    public MixSpec? Mix { get; init; }

    [SpecField("RU/s that these workers together use at most; no such limit when left out.", Min = 1, Max = ContainerSpec.MaxThroughput)]
    public double? RequestUnitRate { get; init; }
}
