namespace ScaleOut.Slicing;

/// <summary>A contiguous range of document numbers.</summary>
/// <param name="First">First number of the range, from 0.</param>
/// <param name="Count">How many numbers it has, 0 and more.</param>
public readonly record struct Slice(long First, long Count)
{
    /// <summary>The number after the last one.</summary>
    public long End => First + Count;
}
