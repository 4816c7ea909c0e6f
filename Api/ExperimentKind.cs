using ScaleOut.Analysis.Experiments.Planning;
using ScaleOut.Analysis.Experiments.Writers;

namespace ScaleOut.Api;

/// <summary>Experiments, and searches for a limit, as a kind of job.</summary>
internal sealed class ExperimentKind : JobKind<ExperimentSpec, HostedExperiment>
{
    internal override string Name => "experiment";

    internal override string Collection => ApiRoutes.Experiments;

    internal override IReadOnlyList<ReportFileForm> Forms => ExperimentForms.Kind.Forms;

    internal override HostedExperiment Unusable { get; } = new(HostedState.Interrupted, Status: null, []);

    internal override bool HasRuns => true;

    internal override bool Is(RunListing listing) => listing.IsExperiment;

    internal override ReadResult<ExperimentSpec> Read(string text, HostRules rules)
    {
        var reading = ExperimentSpecReader.Read(text, rules.Target, fields =>
        {
            if (rules.LegDuration is not { } leg)
                return;
            if (fields["base"] is null)
                fields["base"] = new JsonObject();
            if (fields["base"] is JsonObject run && run["legDuration"] is null)
                run["legDuration"] = DurationText.Format(leg);
        });
        if (reading.Value is not { } spec)
            return reading;
        var errors = ErrorsOf(spec, rules);
        return errors.Count > 0 ? new(null, errors) : reading;
    }

    internal override IReadOnlyList<ValidationError> ErrorsOf(ExperimentSpec spec, HostRules rules) =>
    [
        .. RunPlanner.DistinctPlansOf(spec).SelectMany(plan =>
            (spec.Limit is null ? ErrorsOfRun(plan.Run, rules) : ErrorsOfSearch(plan.Run, rules))
                .Select(error => error with { Path = $"{plan.Path}.{error.Path}" })),
    ];

    /// <summary>All runs of a search differ only in the rate, so a run that cannot be measured is an error.</summary>
    private static IEnumerable<ValidationError> ErrorsOfSearch(RunSpec run, HostRules rules)
    {
        foreach (var error in ErrorsOfRun(run, rules).Concat(HostRuleChecks.TableErrors(rules, run)))
            yield return error;
        if (rules.MachineErrors is null && InstanceLimits.WhyNotTestable(run) is { } reason)
            yield return new ValidationError("client.cores", $"{reason}; leave it out");
    }

    private static IEnumerable<ValidationError> ErrorsOfRun(RunSpec run, HostRules rules) =>
        [.. HostRuleChecks.Errors(rules, run), .. rules.MachineErrors?.Invoke(run) ?? []];

    internal override IReadOnlyCollection<string>? FailIfNamesOf(ExperimentSpec? spec) => spec is null ? null : FailIfNames.From(spec);

    internal override (ExperimentSpec Spec, RunListing Listing) Named(ExperimentSpec spec, DateTimeOffset now)
    {
        var id = spec.Id ?? ExperimentIds.New(now);
        return (spec with { Id = id }, new RunListing(id, spec.Name, now) { IsExperiment = true });
    }

    internal override Task<bool> TryClaimAsync(IRunStore store, ExperimentSpec spec, CancellationToken cancellationToken) =>
        new ExperimentFiles(store, spec.Id!).TryClaimAsync(spec, cancellationToken);

    internal override Task<ExperimentSpec?> ReadSpecAsync(IRunStore store, string id, CancellationToken cancellationToken) =>
        new ExperimentFiles(store, id).ReadClaimedAsync(cancellationToken);

    internal override Task NoteNotStartedAsync(IRunStore store, ExperimentSpec spec, string reason, DateTimeOffset now) =>
        new ExperimentFiles(store, spec.Id!).WriteStatusAsync(ExperimentStatus.NotStarted(spec, reason), CancellationToken.None);

    internal override async Task<bool> IsNotStartedAsync(IRunStore store, string id, CancellationToken cancellationToken) =>
        await new ExperimentFiles(store, id).ReadStatusAsync(cancellationToken) is { Reason: not null, Outcome: null };

    internal override async Task<HostedExperiment> ReadStoredAsync(
        IRunStore store, string id, ExperimentSpec? spec, CancellationToken cancellationToken) =>
        HostedExperiment.Stored(await new ExperimentFiles(store, id).ReadStatusAsync(cancellationToken));

    // Only the first run of a search is known, because the others depend on its measurements.
    internal override IReadOnlyList<RunSpec> KnownRunsOf(ExperimentSpec spec) => [.. RunPlanner.From(spec).Known().Select(run => run.Spec)];

    internal override IEnumerable<string> WarningsOf(ExperimentSpec spec) => RepeatWarnings.From(spec);

    internal override async Task<object> StatusAsync(JobContext<ExperimentSpec> job, HostedExperiment experiment, FailIfState? failIf)
    {
        var status = experiment.Status
            ?? await new ExperimentFiles(job.Store, job.Id).ReadStatusAsync(job.Http.RequestAborted);
        return new ExperimentStatusResponse
        {
            Id = job.Id,
            Name = job.Spec.Name,
            State = experiment.State,
            Phase = status?.Phase,
            Runs = job.Spec.Limit is null ? job.Spec.Variants.Count * job.Spec.Repeats : status?.Runs ?? 0,
            Ended = status?.Ended ?? 0,
            NotComplete = status?.NotComplete ?? 0,
            LastNotComplete = status?.LastNotComplete,
            RunId = status?.RunId,
            RunStatusUri = status?.RunId is { } run ? ResourceLinks.Create(job.Http, ApiRoutes.Runs, run).StatusUri : null,
            Variant = status?.Variant,
            Repeat = status?.Repeat,
            Bracket = status?.Bracket,
            Outcome = status?.Outcome,
            FailIf = failIf,
            Reasons = experiment.Reasons,
            StatusUri = job.Links.StatusUri,
            ReportUri = job.Links.ReportUri,
            StopUri = job.Links.StopUri,
        };
    }

    internal override object Item(RunListing listing, HostedExperiment experiment, ResourceLinks links) =>
        new ExperimentListItem(
            listing.Id, listing.Name, listing.StartedAt, experiment.State, experiment.Status?.Runs, experiment.Status?.Ended,
            links.StatusUri, links.ReportUri, links.StopUri)
        {
            NotComplete = experiment.Status?.NotComplete ?? 0,
            Outcome = experiment.Status?.Outcome,
        };

    internal override object Page(IReadOnlyList<object> items, string? continuation, string? next) =>
        new ExperimentList([.. items.Cast<ExperimentListItem>()], continuation, next);
}
