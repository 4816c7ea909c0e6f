namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>Where a token's text or bytes lie in the frame; empty when the frame has no such token.</summary>
internal readonly record struct TokenRange(int Start, int Length)
{
    public bool IsEmpty => Length == 0;

    public ReadOnlySpan<byte> In(ReadOnlySpan<byte> frame) => frame.Slice(Start, Length);

    public ReadOnlyMemory<byte> In(ReadOnlyMemory<byte> frame) => frame.Slice(Start, Length);
}
