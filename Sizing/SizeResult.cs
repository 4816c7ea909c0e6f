namespace ScaleOut.Sizing;

/// <summary>The question of <c>size --rate</c>, or of a load within a time.</summary>
/// <param name="Rate">Documents a second.</param>
/// <param name="Condition">What must hold at that rate.</param>
/// <param name="Prices">Prices for the cost of a month.</param>
public sealed record SizeQuestion(double Rate, LimitCondition Condition, PriceList Prices)
{
    /// <summary>Smallest share of the RU/s kept spare; null for the least that is enough.</summary>
    public double? Headroom { get; init; }

    /// <summary>Whether operations come at even distances, as those of a run's open loop do; else at random, as those of users.</summary>
    public bool EvenArrivals { get; init; }

    /// <summary>Whether the RU/s are those of the spec.</summary>
    public bool KeepsThroughput { get; init; }

    /// <summary>Whether the connection mode is that of the spec.</summary>
    public bool KeepsMode { get; init; }

    /// <summary>Whether the operations in flight are those of the spec.</summary>
    public bool KeepsConcurrency { get; init; }

    /// <summary>Whether the kind of workload is that of the spec. If not, single inserts may become bulk.</summary>
    public bool KeepsWorkload { get; init; }

    /// <summary>Physical partitions that a container that is there has at least; null for one that is created.</summary>
    public int? OnPartitions { get; init; }

    /// <summary>Whether fewer workers are worth more than fewer RU/s.</summary>
    public bool PrefersWorkers { get; init; }

    /// <summary>How long documents are kept; null if they are never deleted.</summary>
    public TimeSpan? Retention { get; init; } = TimeSpan.FromDays(StorageGrowth.DaysOfNone);

    /// <summary>The rates of a day; null if the rate is the same all day.</summary>
    public DailyLoad? Day { get; init; }

    /// <summary>How the account is bought.</summary>
    public AccountPlan Plan { get; init; } = new();

    /// <summary>Time for a load of the spec's documents, which makes the rate; null for a rate that stays.</summary>
    public TimeSpan? Within { get; init; }

    /// <summary>The most time for the load; null if it is <see cref="Within"/>, which may be less because that costs less.</summary>
    public TimeSpan? Limit { get; init; }

    /// <summary>Documents a second after the load.</summary>
    public double RateAfterwards { get; init; }

    /// <summary>Documents that are there before; null for those that a run of the spec has if it works on documents that exist.</summary>
    public long? Existing { get; init; }

    /// <summary>Exponent of the law of Zipf by which documents are read; null if reads are spread as writes are.</summary>
    public double? ReadSkew { get; init; }

    /// <summary>Documents that are there from the first day on, or at the end of a load.</summary>
    public long ExistingDocuments(RunSpec spec) =>
        Existing ?? (Within is not null ? spec.Documents * Math.Max(1, spec.Workload.WrittenByAction)
            : spec.Workload.NeedsDocuments ? FleetBasis.StoredOf(spec) : 0);
}

/// <summary>The settings of a fleet that the search may change.</summary>
/// <param name="Partitions">Physical partitions of the container.</param>
public sealed record FleetSettings(
    ConnectionMode Mode, bool Bulk, int Workers, int Concurrency, int Throughput, int Partitions);

/// <summary>A fleet that was simulated at the rate.</summary>
/// <param name="Unmet">What keeps it from holding the rate as simulated; null if it holds.</param>
/// <param name="UnmetIfSlower">
/// What keeps it from holding with latencies that are longer by <see cref="ModelError.Latency"/>; null if it holds.
/// </param>
/// <param name="Cost">Cost of a month, with the throughput bought in its cheapest way; for a load, that of the load.</param>
public sealed record TriedFleet(FleetSettings Settings, FleetForecast Forecast, string? Unmet, string? UnmetIfSlower, double Cost)
{
    public bool Holds => Unmet is null;

    public bool IsChosen { get; init; }

    /// <summary>Whether it was simulated for longer and with another seed than fleets that are only looked at.</summary>
    [JsonIgnore]
    public bool IsConfirmed { get; init; }
}

/// <summary>The result of <c>size</c>, as <c>--json</c> writes it.</summary>
public sealed record SizeResult
{
    /// <summary>Documents a second that were asked for; null if a number of workers was given.</summary>
    public double? Rate { get; init; }

    /// <summary>The condition under which a fleet holds the rate; null without a rate.</summary>
    public string? Until { get; init; }

    /// <summary>
    /// Whether <see cref="Fleet"/> holds <see cref="Rate"/>, and no logical partition becomes full; null without a rate.
    /// </summary>
    public bool? Reached { get; init; }

    /// <summary>What keeps <see cref="Fleet"/> from holding the rate; null if it holds.</summary>
    public string? Unmet { get; init; }

    /// <summary>What would help, as sentences; empty if the rate is reached.</summary>
    public IReadOnlyList<string> WouldHelp { get; init; } = [];

    public required FleetSettings Settings { get; init; }

    /// <summary>The fleet. If none holds the rate, the one that came nearest.</summary>
    public required FleetForecast Fleet { get; init; }

    /// <summary>Connections that each worker opens to a real account, at most.</summary>
    public long ConnectionsPerWorker { get; init; }

    /// <summary>The fleet's cost in a month; after a load, that of the container.</summary>
    public required MonthCost Cost { get; init; }

    /// <summary>How the account is bought.</summary>
    public AccountPlan Plan { get; init; } = new();

    /// <summary>The cheapest fleet that holds with latencies that are longer by <see cref="ModelError.Latency"/>.</summary>
    public SizeMargin? Margin { get; init; }

    /// <summary>The fleet under more load; null if it does not hold the rate.</summary>
    public FleetLoad? Load { get; init; }

    /// <summary>What is stored, and what follows from it; null without a rate.</summary>
    public StorageGrowth? Growth { get; init; }

    /// <summary>The cost of a month once all documents that are kept are stored; null if that is the first month's.</summary>
    public MonthCost? GrownCost { get; init; }

    /// <summary>
    /// The cost of a month at the start and after each further month, until all documents that are kept are stored, at most for a year.
    /// The RU/s grow with what is stored up to those of <see cref="StorageGrowth.Fleet"/>. Empty if nothing grows.
    /// </summary>
    public IReadOnlyList<MonthPoint> CostByMonth { get; init; } = [];

    /// <summary>The cost of a load by itself; null for a rate that stays.</summary>
    public LoadCost? LoadCost { get; init; }

    /// <summary>The fleets that were looked at; empty without a rate.</summary>
    public IReadOnlyList<TriedFleet> Frontier { get; init; } = [];

    /// <summary>What the result would be if the figures that it rests on were different.</summary>
    public IReadOnlyList<Dependence> Dependences { get; init; } = [];

    /// <summary>A measurement that replaces what is assumed, with its own price.</summary>
    public SizeMeasurement? Measurement { get; init; }

    /// <summary>What the simulation rests on.</summary>
    public required IReadOnlyList<BasisFigure> Basis { get; init; }

    /// <summary>Whether latency and charge come from a run on a real account.</summary>
    public required bool IsReal { get; init; }

    /// <summary>The lowest bound of the condition for a latency, ms; null without one.</summary>
    public double? LatencyBoundMs { get; init; }

    /// <summary>File with the spec of a run of this fleet; null if none was written.</summary>
    public string? SpecFile { get; init; }

    /// <summary>The spec that the fleet was sized from, with the options over it.</summary>
    public RunSpec? Spec { get; init; }

    /// <summary>The command line that asked for the result.</summary>
    public string? StartedBy { get; init; }

    /// <summary>The program's name and version.</summary>
    public string? Program { get; init; }

    /// <summary>Machines of the run that the result rests on; empty without a run.</summary>
    public IReadOnlyList<MachineKind> Machines { get; init; } = [];

    /// <summary>Notes on what the figures leave out.</summary>
    public required IReadOnlyList<string> Notes { get; init; }
}

/// <summary>The cost of a month after some months, in its parts.</summary>
public sealed record MonthPoint(int Month, double Gigabytes, double Throughput, double Compute, double Storage)
{
    public double Total => Throughput + Storage + Compute;
}

/// <summary>A fleet under up to twice its load.</summary>
/// <param name="HoldsUpTo">The highest rate that it holds.</param>
/// <param name="Breaks">What breaks first above it; null if nothing does.</param>
/// <param name="Unmet">What keeps it from holding more; null if nothing does.</param>
/// <param name="AtTwiceTheRate">The fleet at twice the rate.</param>
public sealed record FleetLoad(double HoldsUpTo, string? Breaks, string? Unmet, FleetForecast AtTwiceTheRate);

/// <summary>What it costs to hold the rate even if all latencies are longer than simulated.</summary>
/// <param name="Fleet">The cheapest fleet that does; null if none does.</param>
/// <param name="Extra">What it costs more than the chosen one.</param>
/// <param name="Unmet">Why no fleet does, by the chosen one; null if one does.</param>
public sealed record SizeMargin(TriedFleet? Fleet, double? Extra, string? Unmet);

/// <summary>What a <see cref="Dependence"/> changes.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<DependsOn>))]
public enum DependsOn
{
    Cpu,
    Latency,
    Charge,

    /// <summary>Operations at even distances, in place of random ones.</summary>
    Arrivals,

    /// <summary>Other texts of the same keys, whose hashes decide which keys are on one partition.</summary>
    KeyNames,

    /// <summary>A key of its own for each document.</summary>
    EvenKeys,
}

/// <summary>How the result depends on a figure.</summary>
/// <param name="If">A figure that may be different.</param>
/// <param name="Then">What the result would be.</param>
/// <param name="Fleet">The fleet that the same question has then; null if no fleet holds, and for a given number of workers.</param>
public sealed record Dependence(DependsOn On, string If, string Then, TriedFleet? Fleet = null);

/// <summary>One measurement that narrows the range of the result.</summary>
/// <param name="Text">What to run, and what it measures.</param>
/// <param name="Minutes">How long it takes.</param>
/// <param name="Price">What it costs.</param>
/// <param name="Options">Options of <c>run</c> that make it from the spec of the fleet.</param>
public sealed record SizeMeasurement(string Text, double Minutes, double Price, string Options = "")
{
    /// <summary>The command that makes the measurement.</summary>
    /// <param name="specFile">File with the spec of the fleet; null if none was written.</param>
    public string Command(string? specFile) => $"devbox run {ShellWord.Quoted(specFile ?? "spec.json")}{Options} --account ENDPOINT";
}
