using ScaleOut.Analysis.Costs;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Workers.Hosting;

/// <summary>What the Function App's settings say. Holds secrets where the app runs locally; it is never printed, logged or kept.</summary>
public sealed record HostSettings
{
    /// <summary>Blob container of the run store.</summary>
    public const string RunsContainer = "runs";

    /// <summary>The setting that queue triggers name, and the prefix of the run store's endpoints.</summary>
    public const string RunStoreSetting = "RunStore";

    public const string MaxRequestUnitsSetting = "MAX_RUS";

    public const string MaxWorkersSetting = "MAX_WORKERS";

    public const string WorkerCapacitySetting = "WORKER_CAPACITY";

    /// <summary>RU/s of a run's own container where <see cref="MaxRequestUnitsSetting"/> is not set.</summary>
    public const int DefaultMaxRequestUnits = 20_000;

    /// <summary>Workers of a run where <see cref="MaxWorkersSetting"/> is not set.</summary>
    public const int DefaultMaxWorkers = 100;

    /// <summary>Price file in the folder of the app.</summary>
    public const string PricesFile = "prices.json";

    /// <summary>The account that all runs go to.</summary>
    public required AccountConnection Account { get; init; }

    /// <summary>The storage account of run store and progress queue.</summary>
    public required StorageConnection RunStore { get; init; }

    /// <summary>Most RU/s that a run's own container may have, 400 to 10,000,000. Default 20,000.</summary>
    public int MaxRequestUnits { get; init; } = DefaultMaxRequestUnits;

    /// <summary>Most workers of a run, 1 to 1,000. Default 100.</summary>
    public int MaxWorkers { get; init; } = DefaultMaxWorkers;

    /// <summary>Workers of all runs that can be at work at once, 1 to 1,000; further runs wait. Default <see cref="MaxWorkers"/>.</summary>
    public int WorkerCapacity { get; init; } = DefaultMaxWorkers;

    /// <summary>For the cost in estimates and reports, from <see cref="PricesFile"/>; null where there is no such file.</summary>
    public PriceList? Prices { get; init; }

    /// <summary>The account's endpoint alone.</summary>
    public override string ToString() => Account.ToString();
}
