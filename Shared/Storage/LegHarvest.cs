using ScaleOut.Measurement;

namespace ScaleOut.Storage;

/// <summary>What a run's legs left in the run store.</summary>
/// <param name="Results">By worker and leg, one for each leg that ended.</param>
/// <param name="LostLegs">Attempts at legs that were begun and left no result.</param>
public sealed record LegHarvest(IReadOnlyList<LegResult> Results, int LostLegs);
