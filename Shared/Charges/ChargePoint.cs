namespace ScaleOut.Charges;

/// <summary>What a charge model may do with a published figure.</summary>
public enum ChargeUse
{
    /// <summary>The model is made from it.</summary>
    Fit,

    /// <summary>The model never sees it: an example of the documentation that repeats what it states elsewhere.</summary>
    Example,

    /// <summary>The model never sees it; it shows how far the model is off.</summary>
    HoldOut,
}

/// <summary>A published charge.</summary>
public sealed record ChargePoint
{
    /// <summary>Largest relative error of a held-out point for which no <see cref="Reason"/> has to be given.</summary>
    public const double Tolerance = 0.3;

    /// <summary>What was charged, in a few words.</summary>
    public required string Name { get; init; }

    public required ChargedOperation Operation { get; init; }

    /// <summary>What the source states.</summary>
    public required double RequestUnits { get; init; }

    /// <summary>Where it is published, and when.</summary>
    public required string Source { get; init; }

    public required ChargeUse Use { get; init; }

    /// <summary>What the source leaves open and this point assumes; null for nothing.</summary>
    public string? Assumes { get; init; }

    /// <summary>Why the model is off by more than <see cref="Tolerance"/>; null where it is not.</summary>
    public string? Reason { get; init; }

    internal static ChargePoint Create(
        ChargeUse use, string name, ChargedOperation operation, double requestUnits, string source, string? assumes) => new()
    {
        Use = use, Name = name, Operation = operation, RequestUnits = requestUnits, Source = source, Assumes = assumes,
    };

    /// <summary>How far a model's charge lies above the published one, as a part of the latter.</summary>
    public double ErrorOf(ChargeModel model) => (Operation.ChargeBy(model) / RequestUnits) - 1;
}

/// <summary>What published charges have in common: where they stand, and when.</summary>
internal static class ChargeSources
{
    public const long Kilobyte = 1_024;

    public const string Consumption = "Azure Cosmos DB documentation, Understand request units consumption, April 2026";
    public const string QueryMetrics = "Azure Cosmos DB documentation, SQL query metrics, example of a response of June 2017";
    public const string OptimizeCost = "Azure Cosmos DB documentation, Optimize request cost, example of query metrics";
    public const string Troubleshoot = "Azure Cosmos DB documentation, Troubleshoot query issues, January 2020";
    public const string IotKeys = "Azure Cosmos DB documentation, Choosing a partition key for IoT workloads, November 2024";
    public const string RequestUnits2017 = "Azure Cosmos DB documentation, Request Units, 2017";
    public const string CapacityPlanner = "capacity planner, in a write-up of one million inserts, 2018";
    public const string QueryTuning = "a step load of queries, in a write-up of 2018 (plans/published/query-tuning.csv)";
    public const string WriteUps = "measurements in public write-ups";
}
