namespace ScaleOut.Storage;

/// <summary>A page of the list of runs.</summary>
/// <param name="Runs">Newest first.</param>
/// <param name="Continuation">Asks for the next page; null when this is the last. Opaque, but safe to show.</param>
public sealed record RunPage(IReadOnlyList<RunListing> Runs, string? Continuation);
