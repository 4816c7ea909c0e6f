using ScaleOut.Experiments;
using ScaleOut.Experiments.Reporting.Writers;
using ScaleOut.Storage;

namespace ScaleOut.Http;

/// <summary>Experiments, as the interface shows them.</summary>
internal sealed class ExperimentResource(IExperimentHost host, HostRules rules, IRunStore store, TimeProvider time, Action<Exception>? onError)
{
    private const string Collection = "experiments";
    private const string What = "experiment";

    private static readonly IReadOnlyList<ReportForm> Forms = [.. ExperimentReportWriters.All.Select(writer => new ReportForm(writer.FileName, writer.MediaType))];

    public async Task<HttpAnswer> StartAsync(HttpCall call, CancellationToken cancellationToken)
    {
        var (text, refusal) = await RequestBody.ReadJsonAsync(call, What, cancellationToken);
        if (refusal is not null)
            return refusal;
        var (read, faults) = ExperimentPlan.Read(text!, rules);
        if (read is null)
            return Problems.InvalidSpec(call, What, faults);

        var id = read.Id ?? ExperimentIds.New(time.GetUtcNow());
        var spec = read with { Id = id };
        var files = new ExperimentFiles(store, id);
        if (!await files.TryClaimAsync(spec, cancellationToken))
            return Problems.IdInUse(call, id);

        // From here on the experiment exists: a client that goes away does not leave half of it.
        return await TryAsync(call, spec, () => host.StartAsync(spec, CancellationToken.None)) ?? Accepted(call, spec, ExperimentRuns.Of(spec));
    }

    public async Task<HttpAnswer> ResumeAsync(HttpCall call, string id, CancellationToken cancellationToken)
    {
        if (RequestBody.IsForeign(call.ContentType))
            return Problems.NotJson(call);
        if (await FindAsync(id, cancellationToken) is not var (spec, experiment))
            return Problems.Unknown(call, What);
        if (!experiment.Ended)
            return Problems.UnderWay(call, What, id);
        // The server's limits may be others than they were, and the experiment may be the command line's.
        if (ExperimentPlan.FaultsOf(spec, rules) is { Count: > 0 } faults)
            return Problems.InvalidSpec(call, What, faults);
        var left = await host.ReadLeftAsync(spec, cancellationToken);
        if (left.Count == 0)
            return Problems.AllMeasured(call, What, id);

        string? refusal = null;
        var failure = await TryAsync(call, spec, async () => refusal = await host.TryResumeAsync(spec, left, CancellationToken.None));
        return failure ?? (refusal is null ? Accepted(call, spec, left) : Problems.NotResumable(call, refusal));
    }

    public async Task<HttpAnswer> ReadAsync(HttpCall call, string id, CancellationToken cancellationToken)
    {
        if (await FindAsync(id, cancellationToken) is not var (spec, experiment))
            return Problems.Unknown(call, What);
        var status = experiment.Status;
        var (statusUri, reportUri, stopUri) = ResourceLinks.Of(call.BaseUri, Collection, id);
        var body = new ExperimentStatusBody
        {
            Id = id,
            Name = spec.Name,
            State = experiment.State,
            Phase = status?.Phase,
            Runs = spec.Variants.Count * spec.Repeats,
            Ended = status?.Ended ?? 0,
            NotComplete = status?.NotComplete ?? 0,
            RunId = status?.RunId,
            RunStatusUri = status?.RunId is { } run ? ResourceLinks.Of(call.BaseUri, "runs", run).StatusUri : null,
            Variant = status?.Variant,
            Repeat = status?.Repeat,
            Outcome = status?.Outcome,
            Reasons = experiment.Reasons,
            StatusUri = statusUri,
            ReportUri = reportUri,
            StopUri = stopUri,
        };
        return Answers.Status(body, experiment.Ended);
    }

    public Task<HttpAnswer> ReportAsync(HttpCall call, string id, CancellationToken cancellationToken) => ReportForms.AnswerAsync(
        call,
        What,
        id,
        Forms,
        // The report of a run has the same names.
        async name => await new ExperimentFiles(store, id).ReadSpecAsync(cancellationToken) is null ? null : await new ExperimentFiles(store, id).ReadReportAsync(name, cancellationToken),
        async () => await FindAsync(id, cancellationToken) is var (_, experiment) ? (experiment.Ended, experiment.Reasons) : null);

    public Task<HttpAnswer> StopAsync(HttpCall call, string id, CancellationToken cancellationToken) => StopRequests.AnswerAsync(
        call,
        What,
        Collection,
        id,
        async () => await FindAsync(id, cancellationToken) is not null,
        () => host.StopAsync(id, cancellationToken));

    /// <summary>Null when it succeeds, else the answer: the experiment has failed then.</summary>
    private async Task<HttpAnswer?> TryAsync(HttpCall call, ExperimentSpec spec, Func<Task> beginAsync)
    {
        try
        {
            await beginAsync();
            return null;
        }
        catch (Exception e)
        {
            onError?.Invoke(e);
            await new ExperimentFiles(store, spec.Id!).WriteStatusAsync(ExperimentStatus.NotStarted(spec, "The experiment could not be started; the server's log has the details."), CancellationToken.None);
            return Problems.Unexpected(call);
        }
    }

    /// <param name="call">The request.</param>
    /// <param name="spec">Claimed.</param>
    /// <param name="toMeasure">Runs that the estimate is for.</param>
    private HttpAnswer Accepted(HttpCall call, ExperimentSpec spec, IReadOnlyList<ExperimentRun> toMeasure)
    {
        var (status, report, stop) = ResourceLinks.Of(call.BaseUri, Collection, spec.Id!);
        var estimate = StartEstimate.Of(toMeasure.Select(run => run.Spec), rules);
        return Answers.Accepted(new StartedExperiment(spec.Id!, status, report, stop, spec.Variants.Count * spec.Repeats, estimate), status);
    }

    /// <summary>An experiment's spec, and how far it is; null when there is no such experiment.</summary>
    private async Task<(ExperimentSpec Spec, HostedExperiment Experiment)?> FindAsync(string id, CancellationToken cancellationToken)
    {
        if (!ResourceId.IsValid(id))
            return null;
        var files = new ExperimentFiles(store, id);
        if (await files.ReadSpecAsync(cancellationToken) is not { } json)
            return null;
        var stored = await files.ReadStatusAsync(cancellationToken);
        var hosted = await host.ReadStatusAsync(id, cancellationToken) ?? HostedExperiment.Stored(stored);
        return (ExperimentPlan.Reread(json), hosted.Status is null ? hosted with { Status = stored } : hosted);
    }
}
