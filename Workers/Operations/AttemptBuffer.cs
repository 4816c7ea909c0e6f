using System.Buffers;

namespace ScaleOut.Workers.Operations;

/// <summary>A pooled buffer that holds an operation's documents over all its attempts.</summary>
internal sealed class AttemptBuffer(int size) : IDisposable
{
    /// <summary>At least as long as asked.</summary>
    public byte[] Bytes { get; private set; } = ArrayPool<byte>.Shared.Rent(size);

    /// <summary>After an exception the SDK may still be reading the buffer: it is left to the garbage collector, and its first bytes go on in a copy.</summary>
    public void Abandon(int used)
    {
        var copy = ArrayPool<byte>.Shared.Rent(size);
        Bytes.AsSpan(0, used).CopyTo(copy);
        Bytes = copy;
    }

    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(Bytes);
        Bytes = [];
    }
}
