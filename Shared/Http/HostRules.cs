using ScaleOut.Costs;
using ScaleOut.Sizing;
using ScaleOut.Specs;

namespace ScaleOut.Http;

/// <summary>What a host says of all runs that it takes.</summary>
public sealed record HostRules
{
    /// <summary>Which account they go to.</summary>
    public RunTarget Target { get; init; } = RunTarget.SimulatedAccount;

    /// <summary>Whether that account is a simulated one: the host's own, or one that runs beside it.</summary>
    public bool Simulated { get; init; } = true;

    /// <summary><see cref="RunSpec.LegDuration"/> where a plan says nothing; null for the spec's own default.</summary>
    public TimeSpan? LegDuration { get; init; }

    /// <summary>Most RU/s of a container that a run creates, because it is billed; null for no limit but the spec's.</summary>
    public SettingLimit? RequestUnitsPerSecond { get; init; }

    /// <summary>For the cost in estimates; null for none. What goes to the simulated account costs nothing.</summary>
    public PriceList? Prices { get; init; }

    /// <summary>Most workers of a run, because instances are billed; null for no limit but the spec's.</summary>
    public SettingLimit? Workers { get; init; }
}
