using System.Buffers;

namespace ScaleOut.Simulator.Direct;

/// <summary>Answers on their way to the socket, one behind the other in a pooled array.</summary>
internal sealed class OutgoingBytes : IDisposable
{
    private const int SmallestArray = 8 * 1024;
    private const int LargestKept = 256 * 1024;

    private byte[] _array = ArrayPool<byte>.Shared.Rent(SmallestArray);

    public int Length { get; private set; }

    public ReadOnlyMemory<byte> Memory => _array.AsMemory(0, Length);

    /// <summary>Room for at least so many bytes behind what is written.</summary>
    public Span<byte> GetSpan(int size)
    {
        if (_array.Length - Length < size)
            Grow(Length + size);
        return _array.AsSpan(Length);
    }

    public void Advance(int bytes) => Length += bytes;

    public void Write(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpan(bytes.Length));
        Length += bytes.Length;
    }

    /// <summary>Empties it; a large array goes back to the pool.</summary>
    public void Clear()
    {
        Length = 0;
        if (_array.Length > LargestKept)
            Grow(SmallestArray);
    }

    public void Dispose()
    {
        byte[] array = _array;
        _array = [];
        Length = 0;
        if (array.Length > 0)
            ArrayPool<byte>.Shared.Return(array);
    }

    private void Grow(int size)
    {
        byte[] other = ArrayPool<byte>.Shared.Rent(size);
        _array.AsSpan(0, Length).CopyTo(other);
        if (_array.Length > 0)
            ArrayPool<byte>.Shared.Return(_array);
        _array = other;
    }
}
