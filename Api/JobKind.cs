namespace ScaleOut.Api;

/// <summary>
/// What differs between the kinds of jobs for the HTTP interface: how a spec is read and claimed, what is kept of a job, and what its
/// responses say.
/// </summary>
public abstract class JobKind<TSpec, TStatus>
    where TSpec : class
    where TStatus : class, IJobStatus
{
    /// <summary>For people, such as <c>run</c>.</summary>
    internal abstract string Name { get; }

    /// <summary>Such as <see cref="ApiRoutes.Runs"/>.</summary>
    internal abstract string Collection { get; }

    internal abstract IReadOnlyList<ReportForm> Forms { get; }

    /// <summary>Whether an entry of the catalog is of this kind.</summary>
    internal abstract bool Is(RunListing listing);

    /// <summary>Reads a spec under a host's rules, with all of its errors.</summary>
    internal abstract ReadResult<TSpec> Read(string text, HostRules rules);

    /// <summary>The errors of a valid spec that breaks a host's rules.</summary>
    internal abstract IReadOnlyList<ValidationError> ErrorsOf(TSpec spec, HostRules rules);

    /// <summary>The numbers that a condition over the report may name.</summary>
    /// <param name="spec">Null if it is not valid.</param>
    internal abstract IReadOnlyCollection<string>? FailIfNamesOf(TSpec? spec);

    /// <summary>The spec with its id, and how the catalog lists it.</summary>
    internal abstract (TSpec Spec, RunListing Listing) Named(TSpec spec, DateTimeOffset now);

    /// <summary>Claims the id with the spec; false when the id is in use, by either kind.</summary>
    internal abstract Task<bool> TryClaimAsync(IRunStore store, TSpec spec, CancellationToken cancellationToken);

    /// <summary>The claimed spec; null when there is no such job.</summary>
    internal abstract Task<TSpec?> ReadSpecAsync(IRunStore store, string id, CancellationToken cancellationToken);

    /// <summary>Notes that a claimed job has ended without having begun.</summary>
    internal abstract Task NoteNotStartedAsync(IRunStore store, TSpec spec, string reason, DateTimeOffset now);

    /// <summary>What the run store says of a job that no host knows.</summary>
    /// <param name="spec">Claimed; null if only the list needs it.</param>
    internal abstract Task<TStatus> ReadStoredAsync(IRunStore store, string id, TSpec? spec, CancellationToken cancellationToken);

    /// <summary>The status of a job whose items cannot be used.</summary>
    internal abstract TStatus Unusable { get; }

    /// <summary>Whether a job consists of runs rather than being one.</summary>
    internal abstract bool HasRuns { get; }

    /// <summary>The specs of the runs that are known before anything is measured; of a run, its own.</summary>
    internal abstract IReadOnlyList<RunSpec> KnownRunsOf(TSpec spec);

    /// <summary>The response to a request for the status.</summary>
    internal abstract Task<object> StatusAsync(JobContext<TSpec> job, TStatus status, FailIfState? failIf);

    /// <summary>An entry of the list.</summary>
    internal abstract object Item(RunListing listing, TStatus status, ResourceLinks links);

    /// <summary>A page of the list.</summary>
    internal abstract object Page(IReadOnlyList<object> items, string? continuation, string? next);
}

/// <summary>A job that a request asks for.</summary>
internal sealed record JobContext<TSpec>(HttpContext Http, IRunStore Store, HostRules Rules, string Id, TSpec Spec, ResourceLinks Links);
