namespace ScaleOut.Specs;

/// <summary>One measured configuration: workers write documents to one container.</summary>
public sealed record RunSpec
{
    private const int FewWorkers = 20;
    private const double ShortestDefaultStartSeconds = 180;
    private const double LongestDefaultStartSeconds = 900;
    private const double StartSecondsPerWorker = 3;

    /// <summary>Most documents of a run.</summary>
    public const long MostDocuments = 1_000_000_000;

    /// <summary>Most workers of a run.</summary>
    public const int MostWorkers = 1_000;

    /// <summary>Longest <see cref="Name"/>, in characters.</summary>
    public const int LongestName = 200;

    /// <summary>Shortest <see cref="LegDuration"/> and <see cref="StartTimeout"/>.</summary>
    public static readonly TimeSpan ShortestTime = TimeSpan.FromSeconds(1);

    /// <summary>Longest <see cref="LegDuration"/>.</summary>
    public static readonly TimeSpan LongestLeg = TimeSpan.FromMinutes(20);

    /// <summary><see cref="LegDuration"/> on one machine, where a spec does not set it.</summary>
    public static readonly TimeSpan DefaultLegDuration = TimeSpan.FromSeconds(30);

    /// <summary>
    /// <see cref="LegDuration"/> in Azure, where a spec does not set it: there a leg costs an activity's dispatch, and an instance is not
    /// lost every few minutes.
    /// </summary>
    public static readonly TimeSpan DefaultLegDurationInAzure = TimeSpan.FromMinutes(5);

    /// <summary>Longest <see cref="Warmup"/>.</summary>
    public static readonly TimeSpan LongestWarmup = TimeSpan.FromMinutes(10);

    /// <summary>Longest <see cref="StartTimeout"/>.</summary>
    public static readonly TimeSpan LongestStartTimeout = TimeSpan.FromMinutes(30);

    /// <summary>Run id, <c>[a-z0-9][a-z0-9-]{0,39}</c>. Null until the run is claimed: then one is made from the time.</summary>
    public string? Id { get; init; }

    /// <summary>Free text shown in the report, at most <see cref="LongestName"/> characters.</summary>
    public string? Name { get; init; }

    /// <summary>Documents to write, 1 to <see cref="MostDocuments"/>. Default 1,000,000.</summary>
    public long Documents { get; init; } = 1_000_000;

    /// <summary>
    /// Workers, 1 to <see cref="MostWorkers"/>. Default 4. Never more than there are documents (batches, where the workload writes
    /// batches).
    /// </summary>
    public int Workers { get; init; } = 4;

    public WorkloadSpec Workload { get; init; } = new();

    public DocumentSpec Document { get; init; } = new();

    public ClientSpec Client { get; init; } = ClientSpec.Defaults;

    /// <summary>Client settings of single workers, applied in order over <see cref="Client"/>.</summary>
    public IReadOnlyList<WorkerOverride> WorkerOverrides { get; init; } = [];

    public ContainerSpec Container { get; init; } = new();

    /// <summary>
    /// Time after which a leg takes no more documents, up to <see cref="LongestLeg"/>. Default 30 s, in Azure 5 min. A lost worker costs at
    /// most one leg.
    /// </summary>
    public TimeSpan LegDuration { get; init; } = DefaultLegDuration;

    /// <summary>Time after the start that is left out of every rate, 0 to <see cref="LongestWarmup"/>. Default 3 s.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(3);

    /// <summary>
    /// How long workers wait for each other before they start without the missing ones, up to <see cref="LongestStartTimeout"/>. Default,
    /// where it is null: 3 min up to 20 workers and 3 s more for each further one, at most 15 min, because a fleet in Azure grows instance
    /// by instance.
    /// </summary>
    public TimeSpan? StartTimeout { get; init; }

    /// <summary>Seed of everything that is random in a run: latency and faults of the simulated account. Default 1.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Settings of the simulated account; null means its defaults. Only valid with the simulated account.</summary>
    public SimulationSpec? Simulation { get; init; }

    /// <summary><see cref="StartTimeout"/>, or its default for this number of workers.</summary>
    public TimeSpan StartTimeoutInEffect() => StartTimeout ?? DefaultStartTimeout(Workers);

    /// <summary>Where it goes among the accounts of a target: what writes to tables goes to no simulated account.</summary>
    public RunTarget TargetAmong(RunTarget target) => Workload.Kind.UsesTables() ? RunTarget.OtherAccount : target;

    /// <summary>Name of the container or table that a run of that id writes to.</summary>
    public string StoreNameFor(string runId) => Workload.Kind.UsesTables() ? TableNames.From(runId) : Container.NameFor(runId);

    private static TimeSpan DefaultStartTimeout(int workers)
    {
        var seconds = ShortestDefaultStartSeconds + (StartSecondsPerWorker * Math.Max(0, workers - FewWorkers));
        return TimeSpan.FromSeconds(Math.Min(seconds, LongestDefaultStartSeconds));
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
    /// <summary>Indices of the workers, from 0.</summary>
    public required IReadOnlyList<int> Workers { get; init; }

    public required ClientSpec Client { get; init; }
}

/// <summary>Ids of runs: what they look like, and those of runs that were given none.</summary>
public static class RunIds
{
    /// <summary>Ids of runs and names that are made from them.</summary>
    public static readonly TextForm Form = new(
        "a run id such as \"million-1\" (a-z, 0-9 and '-', at most 40 characters, no '-' in front)", "^[a-z0-9][a-z0-9-]{0,39}$", 40);

    private const string Letters = "abcdefghijkmnpqrstuvwxyz23456789";

    /// <summary>Such as <c>r-20261121-170412-x7</c>: in order of time, and apart even within a second.</summary>
    public static string New(DateTimeOffset now) =>
        string.Create(CultureInfo.InvariantCulture, $"r-{now.UtcDateTime:yyyyMMdd-HHmmss}-{RandomNumberGenerator.GetString(Letters, 2)}");
}
