namespace ScaleOut.Http;

/// <summary>The body of the answer that lists runs.</summary>
/// <param name="Runs">Newest first.</param>
/// <param name="Continuation">The parameter <c>continuation</c> of the next page; null when this is the last.</param>
/// <param name="NextUri">The next page; null when this is the last.</param>
internal sealed record RunListBody(IReadOnlyList<RunListItem> Runs, string? Continuation, string? NextUri);
