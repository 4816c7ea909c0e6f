namespace ScaleOut.Api.Hosts;

/// <summary>What executes jobs behind the HTTP interface: Durable Functions, or the dev box. A job is a run or an experiment.</summary>
public interface IJobHost<TSpec, TStatus>
    where TStatus : class, IJobStatus
{
    /// <summary>Why nothing can be started or queued now, in a sentence; null while it can.</summary>
    string? WhyFull => null;

    /// <summary>
    /// Waits until no other request looks at <see cref="WhyFull"/> and starts something. Dispose of the result to end the turn.
    /// </summary>
    Task<IDisposable?> EnterStartAsync(CancellationToken cancellationToken) => Task.FromResult<IDisposable?>(null);

    /// <summary>Starts a job, or queues it. Its id has been claimed in the run store, and it is in the catalog.</summary>
    Task StartAsync(TSpec spec, CancellationToken cancellationToken);

    /// <summary>Asks a job to stop, and its current run; what was done is reported.</summary>
    Task<StopResult> StopAsync(string id, CancellationToken cancellationToken);

    /// <summary>
    /// Resumes a job that nobody executes and that has something left to do, or queues it. Of several callers at once one succeeds.
    /// </summary>
    /// <param name="spec">Its claimed spec.</param>
    Task<ResumeResult> TryResumeAsync(TSpec spec, CancellationToken cancellationToken);

    /// <summary>How far a job is. Null when the host does not know it, or not any more: the interface then asks the run store.</summary>
    /// <param name="spec">Its claimed spec; null when the caller has not read it.</param>
    Task<TStatus?> ReadStatusAsync(string id, TSpec? spec, CancellationToken cancellationToken);
}

/// <summary>What executes the runs behind the HTTP interface.</summary>
public interface IRunHost : IJobHost<RunSpec, RunStatus>;

/// <summary>What executes the experiments behind the HTTP interface.</summary>
public interface IExperimentHost : IJobHost<ExperimentSpec, HostedExperiment>;

/// <summary>What came of the request to resume a job.</summary>
public sealed record ResumeResult
{
    /// <summary>Why it is not resumed, a sentence for the caller; null when it is resumed.</summary>
    public string? WhyNot { get; private init; }

    /// <summary>Whether nothing is left to do.</summary>
    public bool NothingLeft { get; private init; }

    /// <summary>The runs that a resumed job still has to do, as far as they are known.</summary>
    public IReadOnlyList<RunSpec> Left { get; private init; } = [];

    public static ResumeResult Resumed(IEnumerable<RunSpec> left) => new() { Left = [.. left] };

    public static ResumeResult Rejected(string whyNot) => new() { WhyNot = whyNot };

    public static ResumeResult Nothing { get; } = new() { NothingLeft = true };
}

/// <summary>What a host did when it was asked to stop something.</summary>
public enum StopResult
{
    /// <summary>It ends within seconds, or never begins. Asking again changes nothing.</summary>
    Stopping,

    /// <summary>It has ended already.</summary>
    Ended,

    /// <summary>This host does not execute it.</summary>
    Unknown,

    /// <summary>Nobody executes it: what executed it ended before it did. It can be resumed.</summary>
    NotRunning,
}
