using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Protocol;

/// <summary>
/// One request and its response. A connection has as many as it has requests in flight, and uses each again: buffers and operations are
/// made once.
/// </summary>
internal abstract class Exchange(ConnectionMode mode)
{
    public AccountRequest Request { get; } = new(mode);

    public AccountResponse Response { get; } = new(mode);

    public SingleWork Single { get; } = new();

    public BulkWork Bulk => field ??= new BulkWork();

    public TransactionWork Transaction => field ??= new TransactionWork();

    /// <summary>Whether the time that the response takes is over: of what never became an operation, it is not.</summary>
    public bool IsDelayed { get; set; }

    /// <summary>When the response is due; 0 ms after the start where it is not delayed.</summary>
    public ResponseDelay Delay { get; set; }

    /// <summary>What the signed text may begin with, up to the date: verb, resource type and link.</summary>
    public abstract ReadOnlySpan<ReadOnlyMemory<byte>> SigningPrefixes { get; }

    /// <summary>Reads the body where it is not there yet; called once the request is authenticated.</summary>
    public virtual ValueTask ReadBodyAsync() => ValueTask.CompletedTask;

    /// <summary>Lets go of what one request should not keep for the next.</summary>
    public virtual void Reset()
    {
        IsDelayed = false;
        Delay = default;
        Request.Reset();
        Response.Reset();
    }
}
