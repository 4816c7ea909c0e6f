using ScaleOut.Specs;

namespace ScaleOut.Sizing;

/// <summary>What came of reading a price file.</summary>
/// <param name="Prices">Null exactly when there are faults.</param>
/// <param name="Faults">All of them.</param>
public sealed record PriceReading(PriceList? Prices, IReadOnlyList<SpecFault> Faults);
