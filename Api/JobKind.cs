namespace ScaleOut.Api;

/// <summary>
/// The differences between runs and experiments for the HTTP interface: how a spec is read and claimed, what is stored of a job, and the
/// content of responses.
/// </summary>
public abstract class JobKind<TSpec, TStatus>
    where TSpec : class
    where TStatus : class, IJobStatus
{
    /// <summary>Name in messages, such as <c>run</c>.</summary>
    internal abstract string Name { get; }

    /// <summary>Path of the collection, such as <see cref="ApiRoutes.Runs"/>.</summary>
    internal abstract string Collection { get; }

    internal abstract IReadOnlyList<ReportFileForm> Forms { get; }

    /// <summary>Whether an entry of the catalog is of this kind.</summary>
    internal abstract bool Is(RunListing listing);

    /// <summary>Reads a spec and checks it against a host's rules. Returns all errors.</summary>
    internal abstract ReadResult<TSpec> Read(string text, HostRules rules);

    /// <summary>Checks a valid spec against a host's rules.</summary>
    internal abstract IReadOnlyList<ValidationError> ErrorsOf(TSpec spec, HostRules rules);

    /// <summary>Names of the figures that a fail-if condition may use.</summary>
    /// <param name="spec">Null if the spec is not valid.</param>
    internal abstract IReadOnlyCollection<string>? FailIfNamesOf(TSpec? spec);

    /// <summary>Returns the spec with an id, which is new if the spec has none, and its entry for the catalog.</summary>
    internal abstract (TSpec Spec, RunListing Listing) Named(TSpec spec, DateTimeOffset now);

    /// <summary>Claims the spec's id. Returns false if a run or an experiment has the id already.</summary>
    internal abstract Task<bool> TryClaimAsync(IRunStore store, TSpec spec, CancellationToken cancellationToken);

    /// <summary>The claimed spec; null if there is no such job.</summary>
    internal abstract Task<TSpec?> ReadSpecAsync(IRunStore store, string id, CancellationToken cancellationToken);

    /// <summary>Records that a claimed job ended before it began.</summary>
    internal abstract Task NoteNotStartedAsync(IRunStore store, TSpec spec, string reason, DateTimeOffset now);

    /// <summary>Whether a claimed job is recorded as ended before it began, because the host could not start it.</summary>
    internal abstract Task<bool> IsNotStartedAsync(IRunStore store, string id, CancellationToken cancellationToken);

    /// <summary>The status, by the run store, of a job that the host does not know.</summary>
    /// <param name="spec">The claimed spec; null for the list, which does not need it.</param>
    internal abstract Task<TStatus> ReadStoredAsync(IRunStore store, string id, TSpec? spec, CancellationToken cancellationToken);

    /// <summary>The status of a job whose items cannot be used.</summary>
    internal abstract TStatus Unusable { get; }

    /// <summary>Whether a job consists of several runs.</summary>
    internal abstract bool HasRuns { get; }

    /// <summary>What a caller who starts the job should know, beside the warnings of its runs.</summary>
    internal virtual IEnumerable<string> WarningsOf(TSpec spec) => [];

    /// <summary>Specs of the job's runs, as far as they are known before anything is measured. For a run, its own spec.</summary>
    internal abstract IReadOnlyList<RunSpec> KnownRunsOf(TSpec spec);

    /// <summary>The response to a request for the status.</summary>
    internal abstract Task<object> StatusAsync(JobContext<TSpec> job, TStatus status, FailIfState? failIf);

    internal abstract object Item(RunListing listing, TStatus status, ResourceLinks links);

    internal abstract object Page(IReadOnlyList<object> items, string? continuation, string? next);
}

/// <summary>A request for a job, and the job's data.</summary>
internal sealed record JobContext<TSpec>(HttpContext Http, IRunStore Store, HostRules Rules, string Id, TSpec Spec, ResourceLinks Links);
