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

    /// <summary>Most documents of a run.</summary>
    public const long MaxDocuments = 1_000_000_000;

    /// <summary>Most workers of a run.</summary>
    public const int MaxWorkers = 1_000;

    /// <summary>Longest <see cref="Name"/>, in characters.</summary>
    public const int MaxNameLength = 200;

    /// <summary>Longest <see cref="LegDuration"/>.</summary>
    public const int MaxLegSeconds = 20 * 60;

    /// <summary>Longest <see cref="StartTimeout"/>.</summary>
    public const int MaxStartTimeoutSeconds = 30 * 60;

    /// <summary><see cref="LegDuration"/> on one machine, where a spec does not set it.</summary>
    public static readonly TimeSpan DefaultLegDuration = TimeSpan.FromSeconds(30);

    /// <summary>
    /// <see cref="LegDuration"/> in Azure, where a spec does not set it: there a leg costs an activity's dispatch, and an instance is not
    /// lost every few minutes.
    /// </summary>
    public static readonly TimeSpan DefaultLegDurationInAzure = TimeSpan.FromMinutes(5);

    [SpecField("Run id; made from the time when left out.", Form = nameof(TextForm.RunId))]
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

    [SpecField("Other client settings for single workers, applied in order.", MaxItems = MaxWorkers)]
    public IReadOnlyList<WorkerOverride> WorkerOverrides { get; init; } = [];

    [SpecField("The container that they write to.")]
    public ContainerSpec Container { get; init; } = new();

    /// <summary>In Azure <see cref="DefaultLegDurationInAzure"/> when left out. A lost worker costs at most one leg.</summary>
    [SpecField("Time after which a leg takes no more documents.", Min = 1, Max = MaxLegSeconds)]
    public TimeSpan LegDuration { get; init; } = DefaultLegDuration;

    [SpecField("Time after the start that is left out of every rate.", Min = 0, Max = 10 * 60)]
    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>
    /// After it workers start without the missing ones. The default grows by 3 s with each worker above 20, up to 15 min, because a fleet
    /// in Azure grows instance by instance.
    /// </summary>
    [SpecField("How long workers wait for each other before the start; when left out 3 min, and longer above 20 workers.",
        Min = 1, Max = MaxStartTimeoutSeconds)]
    public TimeSpan? StartTimeout { get; init; }

    [SpecField("Seed of the simulated account's latency and faults.")]
    public int Seed { get; init; } = 1;

    [SpecField("Physics of the simulated account; an error with any other.")]
    public SimulationSpec? Simulation { get; init; }

    /// <summary><see cref="StartTimeout"/>, or its default for this number of workers.</summary>
    public TimeSpan StartTimeoutInEffect() => StartTimeout ?? DefaultStartTimeout(Workers);

    /// <summary>Where it goes among the accounts of a target: what writes to tables goes to no simulated account.</summary>
    public RunTarget TargetAmong(RunTarget target) => Workload.Kind.UsesTables() ? RunTarget.OtherAccount : target;

    /// <summary>Name of the container or table that a run of that id writes to.</summary>
    public string StoreNameFor(string runId) => Workload.Kind.UsesTables() ? TableNames.From(runId) : Container.NameFor(runId);

    private static TimeSpan DefaultStartTimeout(int workers)
    {
        var seconds = MinDefaultStartSeconds + (StartSecondsPerWorker * Math.Max(0, workers - FewWorkers));
        return TimeSpan.FromSeconds(Math.Min(seconds, MaxDefaultStartSeconds));
    }

    /// <summary>Without the fields that only describe the run: specs that are equal then ask for the same.</summary>
    public RunSpec Unnamed() => this with { Id = null, Name = null };
}

/// <summary>Which account a run goes to, as far as that is known when its spec is read.</summary>
public enum RunTarget
{
    /// <summary>Not known: a spec with <see cref="RunSpec.Simulation"/> is taken for a simulated run, one without for any.</summary>
    Undecided,

    /// <summary>The simulated account, at its defaults where <see cref="RunSpec.Simulation"/> says nothing.</summary>
    SimulatedAccount,

    /// <summary>A real account or an emulator: <see cref="RunSpec.Simulation"/> is an error.</summary>
    OtherAccount,
}

/// <summary>Client settings for some workers of a run.</summary>
public sealed record WorkerOverride
{
    [SpecField("Indices of the workers, from 0.",
        Min = 0, Max = RunSpec.MaxWorkers - 1, MinItems = 1, MaxItems = RunSpec.MaxWorkers, Unique = true)]
    public required IReadOnlyList<int> Workers { get; init; }

    [SpecField("The settings that differ.", Partial = typeof(ClientSpec))]
    public required ClientSpec Client { get; init; }
}

/// <summary>Ids of runs: what they look like, and those of runs that were given none.</summary>
public static class RunIds
{
    /// <summary>Ids of runs and names that are made from them.</summary>
    public static TextForm Form => TextForm.RunId;

    private const string Letters = "abcdefghijkmnpqrstuvwxyz23456789";

    /// <summary>Such as <c>r-20261121-170412-x7</c>: in order of time, and apart even within a second.</summary>
    public static string New(DateTimeOffset now) =>
        string.Create(CultureInfo.InvariantCulture, $"r-{now.UtcDateTime:yyyyMMdd-HHmmss}-{RandomNumberGenerator.GetString(Letters, 2)}");
}
