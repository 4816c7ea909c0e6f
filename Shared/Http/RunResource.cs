using System.Globalization;
using ScaleOut.Experiments;
using ScaleOut.Orchestration;
using ScaleOut.Reports.Writers;
using ScaleOut.Specs;
using ScaleOut.Storage;

namespace ScaleOut.Http;

/// <summary>Runs, as the interface shows them.</summary>
internal sealed class RunResource(IRunHost host, IRunStore store, IRunCatalog catalog, TimeProvider time, Action<Exception>? onError)
{
    private const string Collection = "runs";
    private const string What = "run";
    private const int DefaultPage = 20;
    private const int LargestPage = 100;

    private static readonly IReadOnlyList<ReportForm> Forms = [.. ReportWriters.All.Select(writer => new ReportForm(writer.FileName, writer.MediaType))];

    public async Task<HttpAnswer> StartAsync(HttpCall call, CancellationToken cancellationToken)
    {
        var (text, refusal) = await RequestBody.ReadJsonAsync(call, What, cancellationToken);
        if (refusal is not null)
            return refusal;
        var (read, faults) = RunPlan.Read(text!, host.Rules);
        if (read is null)
            return Problems.InvalidSpec(call, What, faults);

        var now = time.GetUtcNow();
        var id = read.Id ?? RunIds.New(now);
        var spec = read with { Id = id };
        var files = new RunFiles(store, id);
        if (await new ExperimentFiles(store, id).ReadSpecAsync(cancellationToken) is not null || !await files.TryClaimAsync(spec, cancellationToken))
            return Problems.IdInUse(call, id);

        // From here on the run exists: a client that goes away does not leave half of it.
        await catalog.AddAsync(new RunListing(id, spec.Name, now), CancellationToken.None);
        try
        {
            await host.StartAsync(spec, CancellationToken.None);
        }
        catch (Exception e)
        {
            onError?.Invoke(e);
            await files.WriteEndedAsync(new RunEnded(NotStarted(spec), time.GetUtcNow()), CancellationToken.None);
            return Problems.Unexpected(call);
        }

        var (status, report, stop) = ResourceLinks.Of(call.BaseUri, Collection, id);
        return Answers.Accepted(new StartedRun(id, status, report, stop, StartEstimate.Of([spec], host.Rules)), status);
    }

    public async Task<HttpAnswer> ListAsync(HttpCall call, CancellationToken cancellationToken)
    {
        var size = DefaultPage;
        if (call.Query.TryGetValue("pageSize", out var text)
            && !(int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out size) && size is >= 1 and <= LargestPage))
            return Problems.InvalidParameter(call, "pageSize", $"is not a whole number, 1 to {LargestPage}");

        RunPage page;
        try
        {
            page = await catalog.ListAsync(call.Query.GetValueOrDefault("continuation"), size, cancellationToken);
        }
        catch (FormatException)
        {
            return Problems.InvalidParameter(call, "continuation", "is none that a page gave");
        }

        var items = await Task.WhenAll(page.Runs.Where(run => ResourceId.IsValid(run.Id)).Select(run => ItemAsync(call, run, cancellationToken)));
        var next = page.Continuation is { } continuation
            ? new Uri(call.BaseUri, $"api/{Collection}?pageSize={size.ToString(CultureInfo.InvariantCulture)}&continuation={Uri.EscapeDataString(continuation)}").AbsoluteUri
            : null;
        return HttpAnswer.Json(200, new RunListBody(items, page.Continuation, next));
    }

    public async Task<HttpAnswer> ReadAsync(HttpCall call, string id, CancellationToken cancellationToken)
    {
        if (await FindAsync(id, cancellationToken) is not var (spec, run))
            return Problems.Unknown(call, What);
        // The container says what the run met; until it is prepared, the host says where its runs go.
        var prepared = await new RunFiles(store, id).ReadPreparedAsync(cancellationToken);
        var simulated = prepared?.Simulated ?? (host.Rules.Simulated || spec.Simulation is not null);
        var body = new RunStatusBody(run, id, spec.Name, simulated, ResourceLinks.Of(call.BaseUri, Collection, id));
        return Answers.Status(body, run.Ended);
    }

    public Task<HttpAnswer> ReportAsync(HttpCall call, string id, CancellationToken cancellationToken) => ReportForms.AnswerAsync(
        call,
        What,
        id,
        Forms,
        // The report of an experiment has the same names.
        async name => await new RunFiles(store, id).ReadSpecAsync(cancellationToken) is null ? null : await new RunFiles(store, id).ReadReportAsync(name, cancellationToken),
        async () => await FindAsync(id, cancellationToken) is var (_, run) ? (run.Ended, run.Reasons) : null);

    public Task<HttpAnswer> StopAsync(HttpCall call, string id, CancellationToken cancellationToken) => StopRequests.AnswerAsync(
        call,
        What,
        Collection,
        id,
        async () => await FindAsync(id, cancellationToken) is not null,
        () => host.StopAsync(id, cancellationToken));

    /// <summary>A run's spec, and how far it is; null when there is no such run.</summary>
    private async Task<(RunSpec Spec, HostedRun Run)?> FindAsync(string id, CancellationToken cancellationToken)
    {
        if (!ResourceId.IsValid(id) || await new RunFiles(store, id).ReadSpecAsync(cancellationToken) is not { } json)
            return null;
        var spec = RunPlan.Reread(json);
        return (spec, await host.ReadStatusAsync(id, cancellationToken) ?? await StoredAsync(id, spec.Documents, cancellationToken));
    }

    private async Task<RunListItem> ItemAsync(HttpCall call, RunListing run, CancellationToken cancellationToken)
    {
        // In this order: most runs of a list have ended, and the store is cheaper to ask than the host.
        var stored = await StoredAsync(run.Id, asked: 0, cancellationToken);
        var state = stored.State == HostedState.Interrupted ? (await host.ReadStatusAsync(run.Id, cancellationToken))?.State ?? stored.State : stored.State;
        var (status, report, stop) = ResourceLinks.Of(call.BaseUri, Collection, run.Id);
        return new RunListItem(run.Id, run.Name, run.StartedAt, state, status, report, stop);
    }

    private async Task<HostedRun> StoredAsync(string id, long asked, CancellationToken cancellationToken) =>
        await new RunFiles(store, id).ReadEndedAsync(cancellationToken) is { } ended
            ? HostedRun.Of(ended.Outcome, asked)
            : new HostedRun { State = HostedState.Interrupted, Asked = asked };

    private static RunOutcome NotStarted(RunSpec spec) => new()
    {
        RunId = spec.Id!,
        State = RunState.Failed,
        Documents = new DocumentCounts(),
        Remaining = spec.Documents,
        Reasons = ["The run could not be started; the server's log has the details."],
    };
}
