namespace ScaleOut.Orchestration;

/// <summary>The container as it was before the first write.</summary>
public sealed record PreparedContainer
{
    /// <summary>The run that the container was prepared for; null in items that earlier versions of the program stored.</summary>
    public string? RunId { get; init; }

    public required ContainerTarget Target { get; init; }

    /// <summary>Whether the run created the container, and so may scale and delete it.</summary>
    public required bool Created { get; init; }

    /// <summary>Whether the account is the simulated one. Then every number of the run is labelled <em>simulated</em>.</summary>
    public required bool Simulated { get; init; }

    /// <summary>
    /// Whether the container is in an emulator, whose speed does not show that of a service. False for the simulated account.
    /// </summary>
    public bool Emulated { get; init; }

    /// <summary>Null for tables.</summary>
    public AccountFacts? Account { get; init; }

    /// <summary>Number of documents that were in the container.</summary>
    public required long CountBefore { get; init; }

    /// <summary>Provisioned RU/s; null if the account does not report it (serverless, or no right to read it).</summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>
    /// Whether the account kept the requested indexing mode; null for a named container, or if the account does not report it.
    /// </summary>
    public bool? KeptIndexing { get; init; }

    public IReadOnlyList<string> Warnings { get; init; } = [];
}

/// <summary>Properties that an account reports.</summary>
/// <param name="Host">Host of the account's endpoint.</param>
/// <param name="Region">The account's first readable region; null if it names none.</param>
/// <param name="SdkVersion">Version of the Cosmos SDK.</param>
public sealed record AccountFacts(string Host, string? Region, ConsistencyLevel Consistency, string SdkVersion)
{
    /// <summary>The region that the simulated account names, and no account in Azure.</summary>
    public const string SimulatedRegion = "Simulated";

    /// <summary>Whether the account says that it is a simulated one, whoever started it.</summary>
    [JsonIgnore]
    public bool Simulated => Region == SimulatedRegion;
}

/// <summary>
/// The outcome of preparing the container: the container is ready, the run cannot start, the run was stopped, or it already has a report.
/// </summary>
public sealed record Preparation
{
    /// <summary>Null if the run cannot start.</summary>
    public PreparedContainer? Container { get; init; }

    /// <summary>Whether the run was stopped before the container was ready. Then there is neither a container nor a rejection.</summary>
    public bool Stopped { get; init; }

    /// <summary>How the run ended, if it already has a report. Then the other fields are not set, and the container may be gone.</summary>
    public RunEnding? Ending { get; init; }

    /// <summary>
    /// What the identity is not permitted to do. The run waits, because a new role takes effect only after a few minutes. Null if nothing
    /// is missing.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? MissingRole { get; init; }

    /// <summary>All reasons why the run cannot start.</summary>
    public IReadOnlyList<string> Rejections { get; init; } = [];
}

/// <summary>Whether a run may begin. Runs wait for each other if together they have more workers than there are instances.</summary>
/// <param name="RunsAhead">Number of earlier runs that have not ended.</param>
/// <param name="Failure">Why the admission could not be decided; null otherwise.</param>
public sealed record Admission(
    AdmissionState State,
    int RunsAhead = 0,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Failure = null);

/// <summary>What a run that asks for admission is to do.</summary>
[JsonConverter(typeof(CamelCaseEnumConverter<AdmissionState>))]
public enum AdmissionState
{
    Admitted,

    /// <summary>The run asks again later.</summary>
    Waiting,

    /// <summary>The run was stopped while it waited.</summary>
    Stopped,

    /// <summary>
    /// The identity is not yet permitted to ask. The run asks again later, because a new role may take effect only after minutes.
    /// </summary>
    Forbidden,

    /// <summary>The run ends, because asking failed for too long.</summary>
    Failed,
}
