namespace ScaleOut.Orchestration;

/// <summary>The container as it was before the first write.</summary>
public sealed record PreparedContainer
{
    /// <summary>The run that it was prepared for; null in what earlier versions kept.</summary>
    public string? RunId { get; init; }

    public required ContainerTarget Target { get; init; }

    /// <summary>Whether the run made it, and may re-scale and delete it.</summary>
    public required bool Created { get; init; }

    /// <summary>Whether the account is the simulated one: then every number of the run is labelled <em>simulated</em> wherever it is shown.</summary>
    public required bool Simulated { get; init; }

    /// <summary>Documents that were in it.</summary>
    public required long CountBefore { get; init; }

    /// <summary>Provisioned RU/s; null where the account does not tell (serverless, or no right to read it).</summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>Whether the account kept the indexing mode that was asked for; null for a named container, and where the account does not tell.</summary>
    public bool? KeptIndexing { get; init; }

    public IReadOnlyList<string> Warnings { get; init; } = [];
}
