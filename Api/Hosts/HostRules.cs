using ScaleOut.Costs;

namespace ScaleOut.Api.Hosts;

/// <summary>Rules that a host applies to all runs.</summary>
public sealed record HostRules
{
    /// <summary>The account that runs use.</summary>
    public RunTarget Target { get; init; } = RunTarget.SimulatedAccount;

    /// <summary>Whether the account is a simulated one: the host's own, or one that runs beside the host.</summary>
    public bool Simulated { get; init; } = true;

    /// <summary>Whether there is a table account for runs of kind <c>tableBatch</c>.</summary>
    public bool HasTables { get; init; }

    /// <summary>Default <see cref="RunSpec.LegDuration"/> for specs that do not set it; null for the spec's own default.</summary>
    public TimeSpan? LegDuration { get; init; }

    /// <summary>Maximum RU/s of a container that a run creates, because they are billed; null for the spec's own limit.</summary>
    public SettingLimit? RequestUnitsPerSecond { get; init; }

    /// <summary>Maximum number of workers of a run, because instances are billed; null for the spec's own limit.</summary>
    public SettingLimit? Workers { get; init; }

    /// <summary>
    /// Number of workers that can be at work at once; null if it is not known. A run with more workers is rejected: the last workers would
    /// start only after the first had ended, so no rate would cover all workers.
    /// </summary>
    public SettingLimit? WorkersAtOnce { get; init; }

    /// <summary>
    /// Returns errors for fields of a spec that the server's machine cannot satisfy. Null if workers do not run on this machine.
    /// </summary>
    public Func<RunSpec, IEnumerable<ValidationError>>? MachineErrors { get; init; }

    /// <summary>
    /// Gigabytes of telemetry that are kept of a day; null if that is not known. A run that sends more in any case is rejected, and a job
    /// that may send more is started with a warning.
    /// </summary>
    public SettingLimit? TelemetryGigabytesPerDay { get; init; }

    /// <summary>
    /// Finds out whether the RU/s of containers in the default database may be changed. Null if that is certain. It is asked before a start
    /// with <c>container.throughputSteps</c>.
    /// </summary>
    public Func<CancellationToken, Task<bool>>? MayChangeThroughputAsync { get; init; }

    /// <summary>Whether <see cref="MayChangeThroughputAsync"/> has found that the RU/s may not be changed.</summary>
    internal bool ThroughputIsFixed { get; init; }

    /// <summary>Prices for the cost in estimates; null for no cost. Runs on the simulated account have none.</summary>
    public PriceList? Prices { get; init; }
}

/// <summary>A maximum that the server's operator has set.</summary>
/// <param name="Setting">Name of the setting, for error messages, such as <c>MAX_RUS</c>.</param>
/// <param name="Value">Largest accepted value.</param>
public sealed record SettingLimit(string Setting, int Value);
