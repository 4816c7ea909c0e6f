namespace ScaleOut.Simulator.Direct;

/// <summary>A frame that no client of the protocol sends; its connection is closed.</summary>
#pragma warning disable CA1032, CA1064 // Never constructed without a fault, never leaves this assembly.
internal sealed class FrameException(string fault) : Exception(fault);
#pragma warning restore CA1032, CA1064
