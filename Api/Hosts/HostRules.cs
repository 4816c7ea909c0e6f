using ScaleOut.Costs;

namespace ScaleOut.Api.Hosts;

/// <summary>What a host applies to all runs that it accepts.</summary>
public sealed record HostRules
{
    /// <summary>Which account they go to.</summary>
    public RunTarget Target { get; init; } = RunTarget.SimulatedAccount;

    /// <summary>Whether that account is a simulated one: the host's own, or one that runs beside it.</summary>
    public bool Simulated { get; init; } = true;

    /// <summary>Whether there is a table account for runs of kind <c>tableBatch</c>.</summary>
    public bool HasTables { get; init; }

    /// <summary><see cref="RunSpec.LegDuration"/> where a spec does not set it; null for the spec's own default.</summary>
    public TimeSpan? LegDuration { get; init; }

    /// <summary>Most RU/s of a container that a run creates, because it is billed; null for no limit but the spec's.</summary>
    public SettingLimit? RequestUnitsPerSecond { get; init; }

    /// <summary>Most workers of a run, because instances are billed; null for no limit but the spec's.</summary>
    public SettingLimit? Workers { get; init; }

    /// <summary>What the server's machine does not have for a run, by the spec's fields; null if it has no part in a run.</summary>
    public Func<RunSpec, IEnumerable<ValidationError>>? MachineErrors { get; init; }

    /// <summary>For the cost in estimates; null for none. What goes to the simulated account costs nothing.</summary>
    public PriceList? Prices { get; init; }
}

/// <summary>A limit that the server's operator has set.</summary>
/// <param name="Setting">The setting's name, for those who need more, such as <c>MAX_RUS</c>.</param>
/// <param name="Value">The most that is accepted.</param>
public sealed record SettingLimit(string Setting, int Value);
