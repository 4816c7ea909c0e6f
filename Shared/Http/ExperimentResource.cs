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
        try
        {
            await host.StartAsync(spec, CancellationToken.None);
        }
        catch (Exception e)
        {
            onError?.Invoke(e);
            await files.WriteStatusAsync(ExperimentStatus.NotStarted(spec, "The experiment could not be started; the server's log has the details."), CancellationToken.None);
            return Problems.Unexpected(call);
        }

        var runs = ExperimentRuns.Of(spec);
        var (status, report, stop) = ResourceLinks.Of(call.BaseUri, Collection, id);
        return Answers.Accepted(new StartedExperiment(id, status, report, stop, runs.Count, StartEstimate.Of(runs.Select(run => run.Spec), rules)), status);
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
