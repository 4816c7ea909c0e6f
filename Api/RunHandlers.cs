using Microsoft.Extensions.Logging;
using ScaleOut.Analysis.Reports;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Api.Specs;

namespace ScaleOut.Api;

/// <summary>The HTTP handlers of runs, the same for every server.</summary>
/// <param name="store">What runs leave behind.</param>
/// <param name="catalog">The list of runs.</param>
/// <param name="rules">What the server applies to all runs.</param>
/// <param name="logger">Takes the errors whose causes clients do not see.</param>
public sealed partial class RunHandlers(
    IRunStore store, IRunCatalog catalog, HostRules rules, TimeProvider time, ILogger<RunHandlers> logger)
{
    private const string What = "run";

    private static readonly ReportHandler Reports = new(
        What, [.. RunForms.Kind.Forms.Select(form => new ReportForm(form.FileName, form.MediaType))]);

    /// <summary>POST runs: starts a run, or queues it.</summary>
    public async Task<IResult> StartAsync(HttpContext context, IRunHost host)
    {
        var (text, problem) = await RequestBody.ReadJsonAsync(context, What);
        if (problem is not null)
            return problem;
        var (submitted, errors) = RunSubmission.Read(text!, rules);
        var (failIf, failIfErrors) = FailIfRequest.Read(context, FailIfNames.OfRun);
        errors = [.. errors, .. failIfErrors];
        if (submitted is null || errors.Count > 0)
            return Problems.InvalidSpec(context, What, errors);
        using var turn = await host.EnterStartAsync(context.RequestAborted);
        if (host.WhyFull is { } full)
            return Problems.Full(context, full);

        var now = time.GetUtcNow();
        var id = submitted.Id ?? RunIds.New(now);
        var spec = submitted with { Id = id };
        var files = new RunFiles(store, id);
        if (await new ExperimentFiles(store, id).ReadSpecAsync(context.RequestAborted) is not null
            || !await files.TryClaimAsync(spec, context.RequestAborted))
            return Problems.IdInUse(context, id);

        // From here on the run exists: a client that disconnects does not leave half of it.
        if (failIf is not null)
            await files.KeepFailIfAsync(failIf, CancellationToken.None);
        await catalog.AddAsync(new RunListing(id, spec.Name, now), CancellationToken.None);
        try
        {
            await host.StartAsync(spec, CancellationToken.None);
        }
        catch (Exception e)
        {
            LogNotStarted(e, id);
            await files.WriteEndedAsync(new RunEnded(NotStarted(spec), time.GetUtcNow()), CancellationToken.None);
            return Problems.From(context, e);
        }

        return Started(context, spec);
    }

    /// <summary>POST runs/{id}/resume: resumes a run that was interrupted or could not start, from what was done.</summary>
    public async Task<IResult> ResumeAsync(HttpContext context, IRunHost host, string id)
    {
        if (RequestBody.IsForeign(context))
            return Problems.NotJson(context);
        if (await FindAsync(host, id, context.RequestAborted) is not var (spec, run))
            return Problems.Unknown(context, What);
        if (!run.Ended)
            return Problems.Running(context, What, id);
        // The server's limits may be others than they were, and the run may be the command line's.
        if (RunSubmission.ErrorsOf(spec, rules) is { Count: > 0 } errors)
            return Problems.InvalidSpec(context, What, errors);
        using var turn = await host.EnterStartAsync(context.RequestAborted);
        if (host.WhyFull is { } full)
            return Problems.Full(context, full);
        return await host.TryResumeAsync(spec, CancellationToken.None) is { } reason
            ? Problems.NotResumable(context, reason)
            : Started(context, spec);
    }

    /// <summary>GET runs: a page of the list, newest first.</summary>
    public Task<IResult> ListAsync(HttpContext context, IRunHost host)
    {
        return new ListHandler(catalog, experiments: false).RespondAsync(
            context, run => ItemAsync(context, host, run), (items, continuation, next) => new RunList(items, continuation, next));
    }

    /// <summary>GET runs/{id}: how far a run is.</summary>
    public async Task<IResult> ReadAsync(HttpContext context, IRunHost host, string id)
    {
        if (await FindAsync(host, id, context.RequestAborted) is not var (spec, run))
            return Problems.Unknown(context, What);
        // The container says which account the run uses; until it is prepared, the server says where its runs go.
        var files = new RunFiles(store, id);
        var prepared = await files.ReadPreparedAsync(context.RequestAborted);
        var simulated = prepared?.Simulated ?? (rules.Simulated || spec.Simulation is not null);
        var failIf = await FailIfRequest.StateAsync(
            files, run.State == HostedState.Complete, FailIfNames.OfRun, json => ReportNumbers.From(RunForms.Kind.Read(json, id)),
            context.RequestAborted);
        var links = ResourceLinks.Create(context, ApiRoutes.Runs, id);
        return Accepted.Status(context, new RunStatusResponse(run, id, spec.Name, simulated, links) { FailIf = failIf }, run.Ended);
    }

    /// <summary>GET runs/{id}/report: the report in one of its forms.</summary>
    public Task<IResult> ReportAsync(HttpContext context, IRunHost host, string id)
    {
        var files = new RunFiles(store, id);
        return Reports.RespondAsync(
            context,
            id,
            // The report of an experiment has the same names.
            async name =>
                await files.ReadSpecAsync(context.RequestAborted) is null
                    ? null
                    : await files.ReadReportAsync(name, context.RequestAborted),
            async () => await FindAsync(host, id, context.RequestAborted) is var (_, run) ? (run.Ended, run.Reasons) : null);
    }

    /// <summary>POST runs/{id}/stop: stops a run that is queued or running.</summary>
    public Task<IResult> StopAsync(HttpContext context, IRunHost host, string id)
    {
        return StopHandler.RespondAsync(
            context,
            What,
            ApiRoutes.Runs,
            id,
            async () => await FindAsync(host, id, context.RequestAborted) is not null,
            () => host.StopAsync(id, context.RequestAborted));
    }

    private IResult Started(HttpContext context, RunSpec spec)
    {
        var (status, report, stop) = ResourceLinks.Create(context, ApiRoutes.Runs, spec.Id!);
        return Accepted.Create(context, new StartedRun(spec.Id!, status, report, stop, StartEstimate.From([spec], rules)), status);
    }

    /// <summary>A run's spec, and how far it is; null when there is no such run.</summary>
    private async Task<(RunSpec Spec, HostedRun Run)?> FindAsync(IRunHost host, string id, CancellationToken cancellationToken)
    {
        // What does not look like an id names nothing, so that no path leads out of the run store.
        if (!RunIds.Form.Fits(id) || await new RunFiles(store, id).ReadSpecAsync(cancellationToken) is not { } json)
            return null;
        var spec = RunSubmission.Reread(id, json);
        return (spec, await host.ReadStatusAsync(id, cancellationToken) ?? await StoredAsync(id, spec.Documents, cancellationToken));
    }

    private async Task<RunListItem> ItemAsync(HttpContext context, IRunHost host, RunListing run)
    {
        var known = await ReadListedAsync(host, run.Id, context.RequestAborted);
        var (status, report, stop) = ResourceLinks.Create(context, ApiRoutes.Runs, run.Id);
        return new RunListItem(run.Id, run.Name, run.StartedAt, known.State, status, report, stop)
        {
            PerSecond = known.PerSecond?.Documents,
            P99Ms = known.P99Ms,
            BoundBy = known.BoundBy,
        };
    }

    /// <summary>
    /// What the list shows of a run. A run whose items cannot be used does not keep the others from being listed; its own status says
    /// what is wrong.
    /// </summary>
    private async Task<HostedRun> ReadListedAsync(IRunHost host, string id, CancellationToken cancellationToken)
    {
        try
        {
            // In this order: most runs of a list have ended, and the store is cheaper to ask than the host.
            var stored = await StoredAsync(id, asked: 0, cancellationToken);
            return stored.State == HostedState.Interrupted
                ? await host.ReadStatusAsync(id, cancellationToken) ?? stored
                : stored;
        }
        catch (EvidenceException e)
        {
            LogUnusable(e, id);
            return new HostedRun { State = HostedState.Interrupted, Asked = 0 };
        }
    }

    private async Task<HostedRun> StoredAsync(string id, long asked, CancellationToken cancellationToken) =>
        await new RunFiles(store, id).ReadEndedAsync(cancellationToken) is { } ended
            ? HostedRun.From(ended.Outcome, asked)
            : new HostedRun { State = HostedState.Interrupted, Asked = asked };

    private static RunOutcome NotStarted(RunSpec spec) => new()
    {
        RunId = spec.Id!,
        State = RunState.Failed,
        Documents = new DocumentCounts(),
        Remaining = spec.Documents,
        Reasons = ["The run could not be started; the server's log has the details."],
    };

    [LoggerMessage(Level = LogLevel.Error, Message = "What is kept of the run '{Id}' cannot be used.")]
    private partial void LogUnusable(Exception exception, string id);

    [LoggerMessage(Level = LogLevel.Error, Message = "The run '{Id}' could not be started.")]
    private partial void LogNotStarted(Exception exception, string id);
}
