namespace ScaleOut.Sizing;

/// <summary>What came of looking for a sizing's basis in what was measured.</summary>
/// <param name="Basis">Null exactly when there are faults.</param>
/// <param name="Faults">Why the measurements do not tell what is needed; all of it.</param>
public sealed record SizingBasisReading(SizingBasis? Basis, IReadOnlyList<string> Faults);
