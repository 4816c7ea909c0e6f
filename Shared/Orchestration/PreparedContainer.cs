namespace ScaleOut.Orchestration;

/// <summary>The container as it was before the first write.</summary>
public sealed record PreparedContainer
{
    /// <summary>The run that it was prepared for; null in what earlier versions kept.</summary>
    public string? RunId { get; init; }

    public required ContainerTarget Target { get; init; }

    /// <summary>Whether the run made it, and may re-scale and delete it.</summary>
    public required bool Created { get; init; }

    /// <summary>
    /// Whether the account is the simulated one: then every number of the run is labelled <em>simulated</em> wherever it is shown.
    /// </summary>
    public required bool Simulated { get; init; }

    /// <summary>
    /// Whether it is in an emulator, whose speed says nothing of a service; never so for the simulated account, which has physics.
    /// </summary>
    public bool Emulated { get; init; }

    /// <summary>What the account says of itself; null for tables.</summary>
    public AccountFacts? Account { get; init; }

    /// <summary>Documents that were in it.</summary>
    public required long CountBefore { get; init; }

    /// <summary>Provisioned RU/s; null if the account does not report it (serverless, or no right to read it).</summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>
    /// Whether the account kept the indexing mode that was asked for; null for a named container, and where the account does not report it.
    /// </summary>
    public bool? KeptIndexing { get; init; }

    public IReadOnlyList<string> Warnings { get; init; } = [];
}

/// <summary>What an account says of itself.</summary>
/// <param name="Host">Of its endpoint.</param>
/// <param name="Region">The first region that it reads in; null if it names none.</param>
/// <param name="SdkVersion">Of the Cosmos SDK that asked it.</param>
public sealed record AccountFacts(string Host, string? Region, ConsistencyLevel Consistency, string SdkVersion);

/// <summary>
/// The outcome of preparing the container: it is ready, or there are reasons why the run cannot start, or the run was stopped before, or it
/// came to its report before.
/// </summary>
public sealed record Preparation
{
    /// <summary>Null when the run cannot start.</summary>
    public PreparedContainer? Container { get; init; }

    /// <summary>Whether a stop was asked for before the container was ready; then it is null without a rejection.</summary>
    public bool Stopped { get; init; }

    /// <summary>
    /// How the run ended, when it came to its report before; the container may be gone then, and the other fields are not set.
    /// </summary>
    public RunEnding? Ending { get; init; }

    /// <summary>
    /// What the identity may not do, although it may a few minutes after it was given its roles; null when nothing is missing. The run
    /// waits for it.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? MissingRole { get; init; }

    /// <summary>Everything that keeps the run from starting, each with what and where.</summary>
    public IReadOnlyList<string> Rejections { get; init; } = [];
}
