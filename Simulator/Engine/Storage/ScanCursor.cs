namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>Where a scan of an arena stands. Good only as long as nothing is written; across writes a scan goes on by its sequence.</summary>
internal readonly record struct ScanCursor(int Chunk, int Offset, long AfterSequence);
