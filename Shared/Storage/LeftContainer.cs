using ScaleOut.Orchestration;

namespace ScaleOut.Storage;

/// <summary>A run whose own container may still be there.</summary>
/// <param name="Run">The run.</param>
/// <param name="Prepared">Its container; null when the run did not get as far as to keep it, though it may have created one.</param>
/// <param name="Ended">When and how the run ended; null while it has not, or when it never will because its orchestration is gone.</param>
public sealed record LeftContainer(RunListing Run, PreparedContainer? Prepared, RunEnded? Ended);
