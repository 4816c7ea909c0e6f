namespace ScaleOut.DevBox.Sizing;

/// <summary>The question of <c>size --rate</c>.</summary>
/// <param name="Rate">Documents a second.</param>
/// <param name="Condition">What must hold at that rate.</param>
/// <param name="Prices">Prices for the cost of a month.</param>
internal sealed record SizeQuestion(double Rate, LimitCondition Condition, PriceList Prices)
{
    /// <summary>Share of the RU/s kept spare; null to look for the smallest that is enough.</summary>
    public double? Headroom { get; init; }

    /// <summary>Whether the RU/s are those of the spec.</summary>
    public bool KeepsThroughput { get; init; }

    /// <summary>Whether the connection mode is that of the spec.</summary>
    public bool KeepsMode { get; init; }

    /// <summary>Whether the operations in flight are those of the spec.</summary>
    public bool KeepsConcurrency { get; init; }

    /// <summary>Whether single inserts may become bulk.</summary>
    public bool KeepsWorkload { get; init; }
}

/// <summary>The settings of a fleet that the search may change.</summary>
internal sealed record FleetSettings(ConnectionMode Mode, bool Bulk, int Workers, int Concurrency, int Throughput);

/// <summary>A fleet that was simulated at the rate.</summary>
/// <param name="Unmet">What keeps it from holding the rate; null if it holds.</param>
/// <param name="Cost">Cost of a month, with fixed throughput.</param>
internal sealed record TriedFleet(FleetSettings Settings, FleetForecast Forecast, string? Unmet, double Cost)
{
    public bool Holds => Unmet is null;
}

/// <summary>The result of <c>size</c>, as <c>--json</c> writes it.</summary>
internal sealed record SizeResult
{
    /// <summary>Documents a second that were asked for; null if a number of workers was given.</summary>
    public double? Rate { get; init; }

    /// <summary>The condition under which a fleet holds the rate; null without a rate.</summary>
    public string? Until { get; init; }

    /// <summary>Whether <see cref="Fleet"/> holds <see cref="Rate"/>; null without one.</summary>
    public bool? Reached { get; init; }

    /// <summary>What keeps <see cref="Fleet"/> from holding the rate; null if it holds.</summary>
    public string? Unmet { get; init; }

    public required FleetSettings Settings { get; init; }

    /// <summary>The fleet. If none holds the rate, the one that came nearest.</summary>
    public required FleetForecast Fleet { get; init; }

    /// <summary>The fleet's cost in a month.</summary>
    public required MonthCost Cost { get; init; }

    /// <summary>The fleet under more load; null if it does not hold the rate.</summary>
    public FleetLoad? Load { get; init; }

    /// <summary>The fleets that were looked at; empty without a rate.</summary>
    public IReadOnlyList<TriedFleet> Frontier { get; init; } = [];

    /// <summary>What the result would be if the figures that it rests on were different.</summary>
    public IReadOnlyList<Dependence> Dependences { get; init; } = [];

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

/// <summary>A fleet under up to twice its load.</summary>
/// <param name="HoldsUpTo">The highest rate that it holds.</param>
/// <param name="Breaks">What breaks first above it; null if nothing does.</param>
/// <param name="Unmet">What keeps it from holding more; null if nothing does.</param>
/// <param name="AtTwiceTheRate">The fleet at twice the rate.</param>
internal sealed record FleetLoad(double HoldsUpTo, string? Breaks, string? Unmet, FleetForecast AtTwiceTheRate);

/// <summary>How the result depends on a figure.</summary>
/// <param name="If">A figure that may be different.</param>
/// <param name="Then">What the result would be.</param>
internal sealed record Dependence(string If, string Then);
