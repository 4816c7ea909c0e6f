using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Statistics;

namespace ScaleOut.Analysis.Sizing;

/// <summary>What a rate of inserts needs. Its JSON names are a contract.</summary>
public sealed record SizingResult
{
    public required SizingRequest Request { get; init; }

    /// <summary>Where the measurements are from.</summary>
    public required string Source { get; init; }

    /// <summary>Whether they were made on the simulated account.</summary>
    public required bool Simulated { get; init; }

    /// <summary>RU/s that the inserts themselves use.</summary>
    public required double RequestUnitsUsedPerSecond { get; init; }

    /// <summary>RU/s to provision: with the headroom, in steps of 100, at least 400.</summary>
    public required long RequestUnitsPerSecond { get; init; }

    /// <summary>Physical partitions for the RU/s and, where documents to hold are given, for their storage; whichever needs more.</summary>
    public required long PhysicalPartitions { get; init; }

    /// <summary>Those that the documents to hold need at 50 GB each; null when none are given.</summary>
    public long? PhysicalPartitionsForStorage { get; init; }

    public required WorkerNeed Workers { get; init; }

    /// <summary>
    /// Workers beyond what was measured, by a simulation in virtual time; null where the measurements say how many it takes.
    /// </summary>
    public WorkerPrediction? Prediction { get; init; }

    /// <summary>What one worker instance was when it was measured, such as <c>Direct, 50 in flight, 2 cores</c>.</summary>
    public string? Instance { get; init; }

    public required double DocumentsPerHour { get; init; }

    /// <summary>10^9 bytes of documents that an hour adds, the index not counted.</summary>
    public required double GigabytesPerHour { get; init; }

    /// <summary>
    /// Workers from which more of them lower the rate, by the scalability law; null when there are none among those that were measured.
    /// </summary>
    public double? StopsHelpingAt { get; init; }

    /// <summary>95% interval of <see cref="StopsHelpingAt"/>; null with it.</summary>
    public PeakInterval? StopsHelpingAt95 { get; init; }

    /// <summary>
    /// The highest rate that any number of workers reaches, by the scalability law; null with <see cref="StopsHelpingAt"/>.
    /// </summary>
    public double? HighestRate { get; init; }

    /// <summary>Null without prices.</summary>
    public SizingCost? Cost { get; init; }

    /// <summary>What a person would say, one line each: what is needed, where more workers stop helping, what it costs.</summary>
    public IReadOnlyList<string> Sentences { get; init; } = [];

    /// <summary>Everything that lies beyond what was measured.</summary>
    public IReadOnlyList<string> Extrapolations { get; init; } = [];

    /// <summary>What a reader must know before trusting the numbers.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}

/// <summary>How many workers a simulation in virtual time says that a rate takes.</summary>
public sealed record WorkerPrediction
{
    /// <summary>1 and more; null when no number of them reaches the rate, or none could be simulated.</summary>
    public int? Workers { get; init; }

    /// <summary>Documents per second of so many; without a number, the most that any simulated number did. Null for none.</summary>
    public double? PerSecond { get; init; }

    /// <summary>99th percentile of an operation's latency of so many, waits included, ms; null where nothing was simulated.</summary>
    public double? P99Ms { get; init; }

    /// <summary>What keeps so many from doing more; null where nothing was simulated.</summary>
    public BoundBy? BoundBy { get; init; }

    /// <summary>What each of them is, such as <c>Direct, 50 in flight, 1 core</c>; null where nothing was simulated.</summary>
    public string? Instance { get; init; }

    /// <summary>Where the figures are from, or why there are none.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
