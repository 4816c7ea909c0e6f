using Microsoft.Extensions.Logging;
using ScaleOut.Analysis.Experiments.Writers;
using ScaleOut.Analysis.Limits;
using ScaleOut.Api.Specs;

namespace ScaleOut.Api;

/// <summary>The HTTP handlers of experiments, the same for every server.</summary>
/// <param name="store">What experiments and their runs leave behind.</param>
/// <param name="catalog">The list of experiments and their runs.</param>
/// <param name="rules">What the server applies to all runs.</param>
/// <param name="logger">Takes the errors whose causes clients do not see.</param>
public sealed partial class ExperimentHandlers(
    IRunStore store, IRunCatalog catalog, HostRules rules, TimeProvider time, ILogger<ExperimentHandlers> logger)
{
    private const string What = "experiment";

    private static readonly ReportHandler Reports = new(
        What, [.. ExperimentForms.Kind.Forms.Select(form => new ReportForm(form.FileName, form.MediaType))]);

    /// <summary>POST experiments: starts an experiment, or queues it.</summary>
    public async Task<IResult> StartAsync(HttpContext context, IExperimentHost host)
    {
        var (text, problem) = await RequestBody.ReadJsonAsync(context, What);
        if (problem is not null)
            return problem;
        var (submitted, errors) = ExperimentSubmission.Read(text!, rules);
        var (failIf, failIfErrors) = FailIfRequest.Read(context, submitted is null ? null : FailIfNames.From(submitted));
        errors = [.. errors, .. failIfErrors];
        if (submitted is null || errors.Count > 0)
            return Problems.InvalidSpec(context, What, errors);
        using var turn = await host.EnterStartAsync(context.RequestAborted);
        if (host.WhyFull is { } full)
            return Problems.Full(context, full);

        var now = time.GetUtcNow();
        var id = submitted.Id ?? ExperimentIds.New(now);
        var spec = submitted with { Id = id };
        if (!await new ExperimentFiles(store, id).TryClaimAsync(spec, context.RequestAborted))
            return Problems.IdInUse(context, id);

        // From here on the experiment exists: a client that disconnects does not leave half of it.
        if (failIf is not null)
            await new RunFiles(store, id).KeepFailIfAsync(failIf, CancellationToken.None);
        await catalog.AddAsync(new RunListing(id, spec.Name, now) { IsExperiment = true }, CancellationToken.None);
        return await TryAsync(context, spec, () => host.StartAsync(spec, CancellationToken.None))
            ?? Started(context, spec, spec.Limit is null ? ExperimentRuns.From(spec) : [LimitRuns.First(spec)]);
    }

    /// <summary>POST experiments/{id}/resume: resumes an experiment that has ended and has runs left to measure.</summary>
    public async Task<IResult> ResumeAsync(HttpContext context, IExperimentHost host, string id)
    {
        if (RequestBody.IsForeign(context))
            return Problems.NotJson(context);
        if (await FindAsync(host, id, context.RequestAborted) is not var (spec, experiment))
            return Problems.Unknown(context, What);
        if (!experiment.Ended)
            return Problems.Running(context, What, id);
        // The server's limits may be others than they were, and the experiment may be the command line's.
        if (ExperimentSubmission.ErrorsOf(spec, rules) is { Count: > 0 } errors)
            return Problems.InvalidSpec(context, What, errors);
        var unmeasured = await host.ReadUnmeasuredAsync(spec, context.RequestAborted);
        if (unmeasured.Count == 0)
            return Problems.AllMeasured(context, What, id);

        string? reason = null;
        var problem = await TryAsync(
            context, spec, async () => reason = await host.TryResumeAsync(spec, unmeasured, CancellationToken.None));
        return problem ?? (reason is null ? Started(context, spec, unmeasured) : Problems.NotResumable(context, reason));
    }

    /// <summary>GET experiments: a page of the list, newest first.</summary>
    public Task<IResult> ListAsync(HttpContext context, IExperimentHost host)
    {
        return new ListHandler(catalog, experiments: true).RespondAsync(
            context, experiment => ItemAsync(context, host, experiment),
            (items, continuation, next) => new ExperimentList(items, continuation, next));
    }

    /// <summary>GET experiments/{id}: how far an experiment is.</summary>
    public async Task<IResult> ReadAsync(HttpContext context, IExperimentHost host, string id)
    {
        if (await FindAsync(host, id, context.RequestAborted) is not var (spec, experiment))
            return Problems.Unknown(context, What);
        var status = experiment.Status;
        var (statusUri, reportUri, stopUri) = ResourceLinks.Create(context, ApiRoutes.Experiments, id);
        var response = new ExperimentStatusResponse
        {
            Id = id,
            Name = spec.Name,
            State = experiment.State,
            Phase = status?.Phase,
            Runs = spec.Limit is null ? spec.Variants.Count * spec.Repeats : status?.Runs ?? 0,
            Ended = status?.Ended ?? 0,
            NotComplete = status?.NotComplete ?? 0,
            RunId = status?.RunId,
            RunStatusUri = status?.RunId is { } run ? ResourceLinks.Create(context, ApiRoutes.Runs, run).StatusUri : null,
            Variant = status?.Variant,
            Repeat = status?.Repeat,
            Bracket = status?.Bracket,
            Outcome = status?.Outcome,
            FailIf = await FailIfRequest.StateAsync(
                new RunFiles(store, id), experiment.State == HostedState.Complete, FailIfNames.From(spec),
                json => spec.Limit is null
                    ? ExperimentNumbers.From(ExperimentForms.Kind.Read(json))
                    : LimitNumbers.OfSearch(LimitForms.Kind.Read(json)),
                context.RequestAborted),
            Reasons = experiment.Reasons,
            StatusUri = statusUri,
            ReportUri = reportUri,
            StopUri = stopUri,
        };
        return Accepted.Status(context, response, experiment.Ended);
    }

    /// <summary>GET experiments/{id}/report: the report in one of its forms.</summary>
    public Task<IResult> ReportAsync(HttpContext context, IExperimentHost host, string id)
    {
        var files = new ExperimentFiles(store, id);
        return Reports.RespondAsync(
            context,
            id,
            // The report of a run has the same names.
            async name =>
                await files.ReadSpecAsync(context.RequestAborted) is null
                    ? null
                    : await files.ReadReportAsync(name, context.RequestAborted),
            async () =>
                await FindAsync(host, id, context.RequestAborted) is var (_, experiment) ? (experiment.Ended, experiment.Reasons) : null);
    }

    /// <summary>POST experiments/{id}/stop: stops an experiment that is queued or running.</summary>
    public Task<IResult> StopAsync(HttpContext context, IExperimentHost host, string id)
    {
        return StopHandler.RespondAsync(
            context,
            What,
            ApiRoutes.Experiments,
            id,
            async () => await FindAsync(host, id, context.RequestAborted) is not null,
            () => host.StopAsync(id, context.RequestAborted));
    }

    /// <summary>Null when it succeeds, else the response: the experiment has failed then.</summary>
    private async Task<IResult?> TryAsync(HttpContext context, ExperimentSpec spec, Func<Task> beginAsync)
    {
        try
        {
            await beginAsync();
            return null;
        }
        catch (Exception e)
        {
            LogNotStarted(e, spec.Id!);
            var status = ExperimentStatus.NotStarted(spec, "The experiment could not be started; the server's log has the details.");
            await new ExperimentFiles(store, spec.Id!).WriteStatusAsync(status, CancellationToken.None);
            return Problems.From(context, e);
        }
    }

    /// <param name="spec">Claimed.</param>
    /// <param name="toMeasure">Runs that the estimate is for.</param>
    private IResult Started(HttpContext context, ExperimentSpec spec, IReadOnlyList<ExperimentRun> toMeasure)
    {
        var (status, report, stop) = ResourceLinks.Create(context, ApiRoutes.Experiments, spec.Id!);
        // How many runs a search takes, shows only while it goes on: the estimate is of its first.
        var runs = spec.Limit is null ? spec.Variants.Count * spec.Repeats : toMeasure.Count;
        var estimate = StartEstimate.From(toMeasure.Select(run => run.Spec), rules);
        return Accepted.Create(
            context, new StartedExperiment(spec.Id!, status, report, stop, runs, estimate), status);
    }

    /// <summary>An entry of the list. An experiment whose items cannot be used does not keep the others from being listed.</summary>
    private async Task<ExperimentListItem> ItemAsync(HttpContext context, IExperimentHost host, RunListing listing)
    {
        HostedExperiment known;
        try
        {
            var stored = await new ExperimentFiles(store, listing.Id).ReadStatusAsync(context.RequestAborted);
            known = stored is { Outcome: not null } or { Reason: not null }
                ? HostedExperiment.Stored(stored)
                : await host.ReadStatusAsync(listing.Id, context.RequestAborted) ?? HostedExperiment.Stored(stored);
        }
        catch (EvidenceException)
        {
            known = new HostedExperiment(HostedState.Interrupted, Status: null, []);
        }

        var (status, report, stop) = ResourceLinks.Create(context, ApiRoutes.Experiments, listing.Id);
        return new ExperimentListItem(
            listing.Id, listing.Name, listing.StartedAt, known.State, known.Status?.Runs, known.Status?.Ended, status, report, stop)
        {
            Outcome = known.Status?.Outcome,
        };
    }

    /// <summary>An experiment's spec, and how far it is; null when there is no such experiment.</summary>
    private async Task<(ExperimentSpec Spec, HostedExperiment Experiment)?> FindAsync(
        IExperimentHost host, string id, CancellationToken cancellationToken)
    {
        // What does not look like an id names nothing, so that no path leads out of the run store.
        if (!RunIds.Form.Fits(id))
            return null;
        var files = new ExperimentFiles(store, id);
        if (await files.ReadSpecAsync(cancellationToken) is not { } json)
            return null;
        var stored = await files.ReadStatusAsync(cancellationToken);
        var hosted = await host.ReadStatusAsync(id, cancellationToken) ?? HostedExperiment.Stored(stored);
        return (ExperimentSubmission.Reread(id, json), hosted.Status is null ? hosted with { Status = stored } : hosted);
    }

    [LoggerMessage(Level = LogLevel.Error, Message = "The experiment '{Id}' could not be started.")]
    private partial void LogNotStarted(Exception exception, string id);
}

/// <summary>Stops a run or an experiment that is queued or running.</summary>
internal static class StopHandler
{
    /// <param name="what">For people, such as <c>run</c>.</param>
    /// <param name="collection">Such as <see cref="ApiRoutes.Runs"/>.</param>
    /// <param name="existsAsync">Whether there is one of that id.</param>
    /// <param name="stopAsync">Asks its host to stop it.</param>
    public static async Task<IResult> RespondAsync(
        HttpContext context, string what, string collection, string id, Func<Task<bool>> existsAsync, Func<Task<StopResult>> stopAsync)
    {
        if (RequestBody.IsForeign(context))
            return Problems.NotJson(context);
        if (!await existsAsync())
            return Problems.Unknown(context, what);
        var result = await stopAsync();
        if (result == StopResult.NotRunning)
            return Problems.NotRunning(context, what, id);
        if (result != StopResult.Stopping)
            return Problems.Ended(context, what, id);
        var (status, report, stop) = ResourceLinks.Create(context, collection, id);
        return Accepted.Create(context, new Stopping(id, status, report, stop), status);
    }
}
