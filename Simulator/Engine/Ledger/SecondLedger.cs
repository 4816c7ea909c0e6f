namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>What one physical partition did in one UTC second.</summary>
public sealed record SecondLedger
{
    /// <summary>Whole seconds since 1970-01-01 UTC.</summary>
    public required long Second { get; init; }

    public required double RequestUnits { get; init; }

    /// <summary>Operations answered 429.</summary>
    public required long Throttled { get; init; }
}
