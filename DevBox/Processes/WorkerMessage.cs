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

    /// <summary>The leg ended without a result, and would do so again however often it is run.</summary>
    public LegFailure? Failure { get; init; }

    /// <summary>Something beside the legs goes wrong and is tried again.</summary>
    public string? Warning { get; init; }
}

/// <summary>Why a leg cannot be run.</summary>
/// <param name="ErrorType">Full name of the exception's type.</param>
/// <param name="Message">The exception's, on one line.</param>
internal sealed record LegFailure(string ErrorType, string Message);
