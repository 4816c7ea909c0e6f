using System.Buffers;
using System.Runtime.CompilerServices;
using ScaleOut.Simulator.Direct.Wire;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Direct;

/// <summary>
/// One request from its frame to its answer. A connection has as many as it has requests in flight, and uses each again: buffers and operations are made once.
/// </summary>
internal sealed class DirectExchange
{
    private const int SmallestFrame = 2 * 1024;
    private const int LargestKeptFrame = 128 * 1024;
    private const int LargestKeptOutput = 256 * 1024;

    private readonly DirectConnection _connection;
    private readonly Action _continue;
    private Action<DirectExchange>? _complete;
    private byte[] _frame = new byte[SmallestFrame];
    private ConfiguredValueTaskAwaitable<bool>.ConfiguredValueTaskAwaiter _running;
    private ArrayBufferWriter<byte> _output = new();
    private ArrayBufferWriter<byte>? _batchBodies;
    private BulkWork? _bulk;

    public DirectExchange(DirectConnection connection)
    {
        _connection = connection;
        _continue = () => Finish(synchronous: false);
        Single = new SingleWork(_output);
    }

    public RequestHead Head;

    public DirectAnswer Answer;

    public ContainerRoute? Route { get; set; }

    /// <summary>The frame's body; empty when it has none.</summary>
    public TokenRange BodyRange { get; set; }

    /// <summary>Head, tokens and body.</summary>
    public int FrameBytes { get; set; }

    public ReadOnlyMemory<byte> Frame => _frame;

    public ReadOnlyMemory<byte> Body => BodyRange.In(Frame);

    public SingleWork Single { get; private set; }

    /// <summary>What becomes the answer's body.</summary>
    public ArrayBufferWriter<byte> Output => _output;

    /// <summary>Documents that the operations of a batch give back, before they become part of the answer.</summary>
    public ArrayBufferWriter<byte> BatchBodies => _batchBodies ??= new ArrayBufferWriter<byte>();

    public BulkWork Bulk => _bulk ??= new BulkWork(BatchBodies);

    /// <summary>Room for a frame's first <paramref name="filled"/> bytes and more, up to <paramref name="length"/>; grows as bytes come in, not as they are promised.</summary>
    public byte[] Reserve(int filled, int length)
    {
        int size = Math.Min(length, Math.Max(filled * 2, SmallestFrame));
        if (_frame.Length < size)
            Array.Resize(ref _frame, size);
        return _frame;
    }

    /// <summary>Does prepared work; <paramref name="complete"/> then makes the answer of it.</summary>
    public void Run(OperationPipeline pipeline, DocumentWork work, Action<DirectExchange> complete)
    {
        _complete = complete;
        Await(pipeline.RunAsync(work, ConnectionMode.Direct));
    }

    /// <summary>Answers what <see cref="Answer"/> says after a wait.</summary>
    public void Run(ValueTask wait) => Await(wait.IsCompletedSuccessfully ? new ValueTask<bool>(true) : ThenAnswerAsync(wait));

    /// <summary>Answers a request that never became an operation.</summary>
    public void TurnAway(OperationPipeline pipeline, OperationResult result)
    {
        Answer.Result = result;
        if (Route is null)
            Answer.Result.Lsn = MasterRequests.Lsn;
        Run(pipeline.DelayRejectedAsync(ConnectionMode.Direct));
    }

    /// <summary>Lets go of what one request should not keep for the next.</summary>
    public void Reset()
    {
        Route = null;
        _complete = null;
        Answer = default;
        if (_frame.Length > LargestKeptFrame)
            _frame = new byte[SmallestFrame];
        if (_output.Capacity > LargestKeptOutput)
        {
            _output = new ArrayBufferWriter<byte>();
            Single = new SingleWork(_output);
        }
        else
        {
            _output.ResetWrittenCount();
        }

        _batchBodies?.ResetWrittenCount();
        if (_batchBodies?.Capacity > LargestKeptOutput)
            (_batchBodies, _bulk) = (null, null);
    }

    private static async ValueTask<bool> ThenAnswerAsync(ValueTask wait)
    {
        await wait.ConfigureAwait(false);
        return true;
    }

    private void Await(ValueTask<bool> running)
    {
        _running = running.ConfigureAwait(false).GetAwaiter();
        if (_running.IsCompleted)
            Finish(synchronous: true);
        else
            _running.UnsafeOnCompleted(_continue);
    }

    private void Finish(bool synchronous)
    {
        try
        {
            bool isAnswered = _running.GetResult();
            if (isAnswered)
                _complete?.Invoke(this);
            _connection.Finish(this, isAnswered, synchronous);
        }
#pragma warning disable CA1031 // Whatever goes wrong with one request ends its connection and nothing else.
        catch (Exception e)
#pragma warning restore CA1031
        {
            _connection.Fail(this, e);
        }
    }
}
