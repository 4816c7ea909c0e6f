namespace ScaleOut.Reports;

/// <summary>RU charged to the workload. What warm-up cost is apart, what verification cost is not in it.</summary>
public sealed record RequestUnitReport
{
    public required double Total { get; init; }

    /// <summary><see cref="Total"/> / documents inserted, so what 409s and failures cost is in it; null when none was inserted.</summary>
    public double? PerInsert { get; init; }

    /// <summary><see cref="Total"/> / operations that ended without failing; null when there was none.</summary>
    public double? PerOperation { get; init; }

    /// <summary>
    /// Mean RU/s over the overlap window; without one, <see cref="Total"/> / <see cref="ThroughputReport.MakespanSeconds"/>. Null when
    /// nothing ran, and for a run with <see cref="RunReport.TimeErrors"/>.
    /// </summary>
    public double? PerSecondMean { get; init; }

    /// <summary>Highest RU charged in one UTC second of the whole run; null when nothing ran.</summary>
    public double? PerSecondPeak { get; init; }

    /// <summary>Provisioned RU/s of the container (autoscale: the maximum); null for a single worker, and where the account does not tell.</summary>
    public double? BudgetPerSecond { get; init; }

    /// <summary>RU charged for the documents that reads, queries and deletes work on, put before the start; not in <see cref="Total"/>.</summary>
    public double Population { get; init; }

    /// <summary>RU charged while clients were made and warmed; not in <see cref="Total"/>.</summary>
    public required double Warmup { get; init; }
}
