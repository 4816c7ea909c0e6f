namespace ScaleOut.Orchestration;

/// <summary>What the container itself says after the last write.</summary>
/// <param name="Verified">By how many documents its count rose; null when it could not be counted.</param>
/// <param name="Reason">Why it could not be counted.</param>
public sealed record Verification(long? Verified, string? Reason = null);
