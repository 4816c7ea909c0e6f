namespace ScaleOut.Measurement;

/// <summary>The time in which one leg was at work.</summary>
/// <param name="Start">When it took its first document number.</param>
/// <param name="End">When its last operation ended.</param>
public readonly record struct WorkSpan(DateTimeOffset Start, DateTimeOffset End);
