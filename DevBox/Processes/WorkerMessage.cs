using ScaleOut.Orchestration;
using ScaleOut.Progress;

namespace ScaleOut.DevBox.Processes;

/// <summary>What a worker process tells its parent. Exactly one of the fields is set.</summary>
internal sealed record WorkerMessage
{
    public WorkerProgress? Progress { get; init; }

    /// <summary>The leg ended.</summary>
    public LegOutput? Leg { get; init; }

    /// <summary>The leg ended without a result, and why.</summary>
    public string? Lost { get; init; }
}
