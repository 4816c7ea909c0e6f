namespace ScaleOut.Api.Hosts;

/// <summary>Executes the jobs of the HTTP interface: Durable Functions, or the dev box. A job is a run or an experiment.</summary>
public interface IJobHost<TSpec, TStatus>
    where TStatus : class, IJobStatus
{
    /// <summary>A sentence that says why no job can be started or queued now; null if one can.</summary>
    string? WhyFull => null;

    /// <summary>
    /// Enters the critical section from reading <see cref="WhyFull"/> to starting a job, which admits one request at a time. Dispose the
    /// result to leave the section.
    /// </summary>
    Task<IDisposable?> EnterStartAsync(CancellationToken cancellationToken) => Task.FromResult<IDisposable?>(null);

    /// <summary>Starts a job, or queues it. The caller has claimed its id in the run store and added it to the catalog.</summary>
    Task StartAsync(TSpec spec, CancellationToken cancellationToken);

    /// <summary>Asks a job and its current run to stop. They still get a report of what was done.</summary>
    Task<StopResult> StopAsync(string id, CancellationToken cancellationToken);

    /// <summary>
    /// Resumes or queues a job that is not running and has something left to do. If several callers try at once, one succeeds.
    /// </summary>
    /// <param name="spec">The claimed spec.</param>
    Task<ResumeResult> TryResumeAsync(TSpec spec, CancellationToken cancellationToken);

    /// <summary>The status of a job. Null if the host does not track the job; the caller then reads the run store.</summary>
    /// <param name="spec">The claimed spec; null if the caller has not read it.</param>
    Task<TStatus?> ReadStatusAsync(string id, TSpec? spec, CancellationToken cancellationToken);
}

/// <summary>Executes the runs of the HTTP interface.</summary>
public interface IRunHost : IJobHost<RunSpec, RunStatus>;

/// <summary>Executes the experiments of the HTTP interface.</summary>
public interface IExperimentHost : IJobHost<ExperimentSpec, HostedExperiment>;

public sealed record ResumeResult
{
    /// <summary>A sentence that says why the job is not resumed; null if it is resumed or nothing is left to do.</summary>
    public string? WhyNot { get; private init; }

    public bool NothingLeft { get; private init; }

    /// <summary>The runs that a resumed job still has to do, as far as they are known.</summary>
    public IReadOnlyList<RunSpec> Left { get; private init; } = [];

    public static ResumeResult Resumed(IEnumerable<RunSpec> left) => new() { Left = [.. left] };

    public static ResumeResult Rejected(string whyNot) => new() { WhyNot = whyNot };

    public static ResumeResult Nothing { get; } = new() { NothingLeft = true };
}

public enum StopResult
{
    /// <summary>The job ends within seconds, or never begins. A repeated request changes nothing.</summary>
    Stopping,

    Ended,

    /// <summary>This host does not execute the job.</summary>
    Unknown,

    /// <summary>Nothing executes the job, because its program ended before the job did. It can be resumed.</summary>
    NotRunning,
}

/// <param name="Status">Null if the host does not know it, so that it is read from the run store.</param>
/// <param name="Reasons">Reasons why the experiment could not start or go on.</param>
public sealed record HostedExperiment(HostedState State, ExperimentStatus? Status, IReadOnlyList<string> Reasons) : IJobStatus
{
    public bool? FailIfHolds => Status?.Outcome?.FailIfHolds;

    /// <summary>The state, by the run store, of an experiment that the host does not know.</summary>
    internal static HostedExperiment Stored(ExperimentStatus? status) => new(
        status switch
        {
            { Outcome: { } outcome } => StateOf(outcome.State),
            { Reason: not null } => HostedState.Failed,
            _ => HostedState.Interrupted,
        },
        status,
        status?.Reason is { } reason ? [reason] : []);

    /// <summary>The state of an experiment that has ended.</summary>
    public static HostedState StateOf(ExperimentState state) => state switch
    {
        ExperimentState.Complete => HostedState.Complete,
        ExperimentState.Incomplete => HostedState.Incomplete,
        _ => HostedState.Stopped,
    };
}
