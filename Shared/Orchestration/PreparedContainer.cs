namespace ScaleOut.Orchestration;

/// <summary>The container as it was before the first write.</summary>
public sealed record PreparedContainer
{
    /// <summary>The run that it was prepared for; null in what earlier versions kept.</summary>
    public string? RunId { get; init; }

    public required ContainerTarget Target { get; init; }

    /// <summary>Whether the run made it, and may re-scale and delete it.</summary>
    public required bool Created { get; init; }

    /// <summary>Whether the account is the simulated one. Then every number of the run is labelled <em>simulated</em>.</summary>
    public required bool Simulated { get; init; }

    /// <summary>Whether it is in an emulator, whose speed says nothing about a service. False for the simulated account.</summary>
    public bool Emulated { get; init; }

    /// <summary>What the account says of itself; null for tables.</summary>
    public AccountFacts? Account { get; init; }

    /// <summary>Documents that were in it.</summary>
    public required long CountBefore { get; init; }

    /// <summary>Provisioned RU/s; null if the account does not report it (serverless, or no right to read it).</summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>
    /// Whether the account kept the requested indexing mode; null for a named container, or if the account does not report it.
    /// </summary>
    public bool? KeptIndexing { get; init; }

    public IReadOnlyList<string> Warnings { get; init; } = [];
}

/// <summary>What an account says of itself.</summary>
/// <param name="Host">Of its endpoint.</param>
/// <param name="Region">The first region that it reads in; null if it names none.</param>
/// <param name="SdkVersion">Of the Cosmos SDK.</param>
public sealed record AccountFacts(string Host, string? Region, ConsistencyLevel Consistency, string SdkVersion);

/// <summary>
/// The outcome of preparing the container: it is ready, there are reasons why the run cannot start, the run was stopped, or it has a report
/// already.
/// </summary>
public sealed record Preparation
{
    /// <summary>Null when the run cannot start.</summary>
    public PreparedContainer? Container { get; init; }

    /// <summary>Whether the run was stopped before the container was ready. Then there is neither a container nor a rejection.</summary>
    public bool Stopped { get; init; }

    /// <summary>How the run ended, if it has a report already. Then the other fields are not set, and the container may be gone.</summary>
    public RunEnding? Ending { get; init; }

    /// <summary>
    /// What the identity may not do, although it may a few minutes after it was given its roles. The run waits for it. Null if nothing is
    /// missing.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? MissingRole { get; init; }

    /// <summary>Everything that keeps the run from starting.</summary>
    public IReadOnlyList<string> Rejections { get; init; } = [];
}
