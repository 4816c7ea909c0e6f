using ScaleOut.Reports;
using ScaleOut.Statistics;

namespace ScaleOut.Sizing;

/// <summary>What was measured, as far as a sizing rests on it. See <see cref="SizingBases"/> for how it is taken from reports.</summary>
public sealed record SizingBasis
{
    /// <summary>Where it is from, such as <c>run million-1</c>.</summary>
    public required string Source { get; init; }

    /// <summary>Whether it was measured on the simulated account.</summary>
    public required bool Simulated { get; init; }

    /// <summary>RU charged per document, above 0.</summary>
    public required double RequestUnitsPerInsert { get; init; }

    /// <summary>Typical size of a document's JSON in bytes.</summary>
    public required double DocumentBytes { get; init; }

    /// <summary>Most workers that were measured.</summary>
    public required int MostWorkers { get; init; }

    /// <summary>Highest rate that was measured.</summary>
    public required double HighestRate { get; init; }

    /// <summary>Typical documents per second of one worker among those measured, above 0.</summary>
    public required double RatePerWorker { get; init; }

    /// <summary>95% interval of <see cref="RatePerWorker"/>; null when nothing says how much it varies.</summary>
    public Interval? RatePerWorker95 { get; init; }

    /// <summary>The scalability law over numbers of workers, or why there is none; null when only one number was measured.</summary>
    public ScalabilityFit? Scalability { get; init; }

    /// <summary>What kept the workers from doing more; null when it is not known.</summary>
    public BoundBy? BoundBy { get; init; }

    /// <summary>What a reader must know of the measurements.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
