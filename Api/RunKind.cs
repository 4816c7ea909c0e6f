namespace ScaleOut.Api;

internal sealed class RunKind : JobKind<RunSpec, RunStatus>
{
    internal override string Name => "run";

    internal override string Collection => ApiRoutes.Runs;

    internal override IReadOnlyList<ReportFileForm> Forms => RunForms.Kind.Forms;

    internal override RunStatus Unusable { get; } = new() { State = HostedState.Interrupted, Asked = 0 };

    internal override bool HasRuns => false;

    internal override bool Is(RunListing listing) => !listing.IsExperiment;

    internal override ReadResult<RunSpec> Read(string text, HostRules rules)
    {
        JsonObject? edited = null;
        var reading = RunSpecReader.Read(text, rules.Target, fields =>
        {
            if (rules.LegDuration is { } leg && fields["legDuration"] is null)
                fields["legDuration"] = DurationText.Format(leg);
            edited = (JsonObject)fields.DeepClone();
        });
        var errors = reading.Errors;
        if (reading.Value is { } spec)
            errors = ErrorsOf(spec, rules);
        else if (edited is not null)
            errors = [.. errors, .. HostRuleChecks.Errors(rules, edited, errors)];
        return errors.Count > 0 ? new(null, errors) : new(Complete(reading.Value!, rules.Target), []);
    }

    internal override IReadOnlyList<ValidationError> ErrorsOf(RunSpec spec, HostRules rules) =>
    [
        .. HostRuleChecks.Errors(rules, spec), .. HostRuleChecks.TableErrors(rules, spec), .. rules.MachineErrors?.Invoke(spec) ?? [],
    ];

    /// <summary>Adds the host's simulated account to the spec, so that the spec means the same on another host.</summary>
    private static RunSpec Complete(RunSpec spec, RunTarget target) =>
        spec.TargetAmong(target) == RunTarget.SimulatedAccount ? spec with { Simulation = spec.Simulation ?? new SimulationSpec() } : spec;

    internal override IReadOnlyCollection<string> FailIfNamesOf(RunSpec? spec) =>
        spec is null ? FailIfNames.OfRun : FailIfNames.OfRunOf(spec);

    internal override (RunSpec Spec, RunListing Listing) Named(RunSpec spec, DateTimeOffset now)
    {
        var id = spec.Id ?? RunIds.New(now);
        return (spec with { Id = id }, new RunListing(id, spec.Name, now));
    }

    internal override async Task<bool> TryClaimAsync(IRunStore store, RunSpec spec, CancellationToken cancellationToken) =>
        await new ExperimentFiles(store, spec.Id!).ReadSpecAsync(cancellationToken) is null
        && await new RunFiles(store, spec.Id!).TryClaimAsync(spec, cancellationToken);

    internal override Task<RunSpec?> ReadSpecAsync(IRunStore store, string id, CancellationToken cancellationToken) =>
        new RunFiles(store, id).ReadClaimedAsync(cancellationToken);

    internal override Task NoteNotStartedAsync(IRunStore store, RunSpec spec, string reason, DateTimeOffset now)
    {
        var outcome = new RunOutcome
        {
            RunId = spec.Id!, State = RunState.Failed, Remaining = spec.Documents, Reasons = [reason],
        };
        return new RunFiles(store, spec.Id!).WriteEndedAsync(new RunEnded(outcome, now), CancellationToken.None);
    }

    /// <remarks>A run whose orchestration could not begin its work has a report that says so.</remarks>
    internal override async Task<bool> IsNotStartedAsync(IRunStore store, string id, CancellationToken cancellationToken)
    {
        var files = new RunFiles(store, id);
        return await files.FindEndedAsync(cancellationToken) is { Outcome.State: RunState.Failed }
            && !await files.HasAsync(RunFiles.PreparedName, cancellationToken)
            && !await files.HasAsync(JobFiles.ReportName, cancellationToken);
    }

    internal override async Task<RunStatus> ReadStoredAsync(
        IRunStore store, string id, RunSpec? spec, CancellationToken cancellationToken)
    {
        var asked = spec?.Documents ?? 0;
        return await new RunFiles(store, id).ReadEndedAsync(cancellationToken) is { } ended
            ? RunStatus.From(ended.Outcome, asked)
            : new RunStatus { State = HostedState.Interrupted, Asked = asked };
    }

    internal override IReadOnlyList<RunSpec> KnownRunsOf(RunSpec spec) => [spec];

    internal override async Task<object> StatusAsync(JobContext<RunSpec> job, RunStatus status, FailIfState? failIf)
    {
        // The prepared container shows which account the run uses. Before that, the server's rules and the spec decide.
        var prepared = await new RunFiles(job.Store, job.Id).ReadPreparedAsync(job.Http.RequestAborted);
        var simulated = prepared?.Simulated ?? (job.Rules.Simulated || job.Spec.Simulation is not null);
        return new RunStatusResponse(status, job.Id, job.Spec.Name, simulated, job.Links) { FailIf = failIf };
    }

    internal override object Item(RunListing listing, RunStatus status, ResourceLinks links) =>
        new RunListItem(listing.Id, listing.Name, listing.StartedAt, status.State, links.StatusUri, links.ReportUri, links.StopUri)
        {
            Experiment = listing.Experiment,
            PerSecond = status.PerSecond?.Documents,
            P99Ms = status.LatencyMs?.P99,
            BoundBy = status.BoundBy,
            Invalid = status.Invalid,
        };

    internal override object Page(IReadOnlyList<object> items, string? continuation, string? next) =>
        new RunList([.. items.Cast<RunListItem>()], continuation, next);
}
