namespace ScaleOut.Api;

/// <summary>The HTTP handlers of one kind of job, the same for every server.</summary>
/// <param name="catalog">The list of jobs of every kind.</param>
/// <param name="logger">Receives the causes of errors that clients do not see.</param>
public sealed class JobHandlers<TSpec, TStatus>(
    JobKind<TSpec, TStatus> kind, IRunStore store, IRunCatalog catalog, HostRules rules, TimeProvider time,
    ILogger<JobHandlers<TSpec, TStatus>> logger)
    where TSpec : class
    where TStatus : class, IJobStatus
{
    private readonly LoggedErrors _logged = new();

    /// <summary>POST runs: starts a job, or queues it.</summary>
    public async Task<IResult> StartAsync(HttpContext context, IJobHost<TSpec, TStatus> host)
    {
        var (text, problem) = await RequestBody.ReadJsonAsync(context, kind.Name);
        if (problem is not null)
            return problem;
        var (submitted, errors) = await ReadAsync(text!, context.RequestAborted);
        var (failIf, failIfErrors) = FailIfRequest.Read(context, kind.FailIfNamesOf(submitted));
        errors = [.. errors, .. failIfErrors];
        if (submitted is null || errors.Count > 0)
            return Problems.InvalidSpec(context, kind.Name, errors);
        using var turn = await host.EnterStartAsync(context.RequestAborted);
        if (host.WhyFull is { } full)
            return Problems.Full(context, full);

        var (spec, listing) = kind.Named(submitted, time.GetUtcNow());
        var files = new JobFiles(store, listing.Id);
        if (!await kind.TryClaimAsync(store, spec, context.RequestAborted))
            return await StartClaimedAsync(context, host, files, spec, failIf) ?? Problems.IdInUse(context, listing.Id);

        // From here on the job exists, so the calls are not cancelled if the client disconnects.
        if (failIf is not null)
            await files.CreateFailIfIfAbsentAsync(failIf, CancellationToken.None);
        await files.CreateStartedByIfAbsentAsync(StartText(failIf), CancellationToken.None);
        await catalog.AddAsync(listing, CancellationToken.None);
        await StartOrNoteAsync(spec, listing.Id, async () =>
        {
            await host.StartAsync(spec, CancellationToken.None);
            return true;
        });
        var known = kind.KnownRunsOf(spec);
        return Started(context, listing.Id, spec, known, failIf);
    }

    /// <summary>
    /// Starts a job. If the start fails, records the failure, so that the same request can start the job later, and rethrows the error.
    /// </summary>
    private async Task<T> StartOrNoteAsync<T>(TSpec spec, string id, Func<Task<T>> startAsync)
    {
        try
        {
            return await startAsync();
        }
        catch (Exception e)
        {
            logger.JobNotStarted(kind.Name, id, e.GetType().Name);
            var reason = $"The {kind.Name} could not be started; the server's log has the details. The same request starts it again.";
            try
            {
                await kind.NoteNotStartedAsync(store, spec, reason, time.GetUtcNow());
            }
            catch (Exception noting)
            {
                // The error of the start is the one to report.
                logger.FailureNotRecorded(noting, kind.Name, id);
            }

            throw;
        }
    }

    /// <summary>
    /// Starts a job whose start failed after its claim, if this request is the same: the same spec and condition. If several requests try
    /// at once, one succeeds. Null if there is no such job.
    /// </summary>
    private async Task<IResult?> StartClaimedAsync(
        HttpContext context, IJobHost<TSpec, TStatus> host, JobFiles files, TSpec spec, string? failIf)
    {
        var isSame = await kind.ReadSpecAsync(store, files.Id, context.RequestAborted) is { } claimed
            && Serialize(claimed).AsSpan().SequenceEqual(Serialize(spec))
            && await files.ReadFailIfAsync(context.RequestAborted) == failIf;
        if (!isSame || !await kind.IsNotStartedAsync(store, files.Id, context.RequestAborted))
            return null;
        var result = await StartOrNoteAsync(spec, files.Id, () => host.TryResumeAsync(spec, CancellationToken.None));
        return result.NothingLeft || result.WhyNot is not null
            ? null
            : Started(
                context, files.Id, spec, result.Left, failIf,
                $"An earlier request with this spec claimed the id, but the {kind.Name} could not be started. This request has started "
                    + "it.");
    }

    /// <summary>Reads a spec. Whether RU/s may be changed is asked only if that decides about the spec.</summary>
    private async Task<ReadResult<TSpec>> ReadAsync(string text, CancellationToken cancellationToken)
    {
        var reading = kind.Read(text, rules);
        if (rules.MayChangeThroughputAsync is not { } mayChangeAsync)
            return reading;
        var ifFixed = kind.Read(text, rules with { ThroughputIsFixed = true });
        return ifFixed.Errors.Count == reading.Errors.Count || await mayChangeAsync(cancellationToken) ? reading : ifFixed;
    }

    private static byte[] Serialize(TSpec spec) => JsonSerializer.SerializeToUtf8Bytes(spec, ScaleOutJson.Compact);

    /// <summary>POST runs/{id}/resume: resumes a job that was interrupted, or has something left to do.</summary>
    public async Task<IResult> ResumeAsync(HttpContext context, IJobHost<TSpec, TStatus> host, string id)
    {
        if (RequestBody.IsForeign(context))
            return Problems.NotJson(context);
        if (await FindAsync(host, id, context.RequestAborted) is not var (spec, status))
            return Problems.Unknown(context, kind.Name);
        if (!status.State.IsEnd())
            return Problems.Running(context, kind.Name, id);
        // The server's limits may have changed since the start, and the job may have been started on the command line.
        if (kind.ErrorsOf(spec, rules) is { Count: > 0 } errors)
            return Problems.InvalidSpec(context, kind.Name, errors);
        using var turn = await host.EnterStartAsync(context.RequestAborted);
        if (host.WhyFull is { } full)
            return Problems.Full(context, full);
        var result = await host.TryResumeAsync(spec, CancellationToken.None);
        return result.NothingLeft ? Problems.NothingLeft(context, kind.Name, id)
            : result.WhyNot is { } reason ? Problems.NotResumable(context, reason)
            : Started(context, id, spec, result.Left);
    }

    /// <summary>GET runs: a page of the list, newest first.</summary>
    public Task<IResult> ListAsync(HttpContext context, IJobHost<TSpec, TStatus> host) => new JobList(catalog, kind.Is, kind.Collection)
        .RespondAsync(
            context,
            async listing =>
            {
                var status = await ReadListedAsync(host, listing.Id, context.RequestAborted);
                return (status.State, kind.Item(listing, status, LinksOf(context, listing.Id)));
            },
            kind.Page);

    /// <summary>GET runs/{id}: the status of a job.</summary>
    public async Task<IResult> ReadAsync(HttpContext context, IJobHost<TSpec, TStatus> host, string id)
    {
        if (await FindAsync(host, id, context.RequestAborted) is not var (spec, status))
            return Problems.Unknown(context, kind.Name);
        var failIf = await new JobFiles(store, id).ReadFailIfAsync(context.RequestAborted) is { } condition
            ? new FailIfState(condition, status.FailIfHolds)
            : null;
        var job = new JobContext<TSpec>(context, store, rules, id, spec, LinksOf(context, id));
        return Accepted.Status(context, await kind.StatusAsync(job, status, failIf), status.State.IsEnd());
    }

    /// <summary>GET runs/{id}/report: the report in the form of the parameter <c>format</c>, or in JSON without it.</summary>
    public async Task<IResult> ReportAsync(HttpContext context, IJobHost<TSpec, TStatus> host, string id)
    {
        var name = context.Request.Query["format"].FirstOrDefault() ?? "json";
        if (kind.Forms.FirstOrDefault(form => form.Name == name) is not { } asked)
            return Problems.InvalidParameter(
                context, "format", $"{ErrorText.Quote(name)} is not one of {string.Join(", ", kind.Forms.Select(form => form.Name))}");
        // The report of the other kind has the same name, so the kind of the spec decides.
        if (!TextForm.RunId.Fits(id) || await kind.ReadSpecAsync(store, id, context.RequestAborted) is null)
            return Problems.Unknown(context, kind.Name);
        if (await new JobFiles(store, id).ReadReportAsync(asked.FileName, context.RequestAborted) is { } content)
        {
            var headers = context.Response.Headers;
            headers.ContentSecurityPolicy = ApiEndpoints.ReportPolicy;
            headers.ContentDisposition = $"inline; filename=\"{id}.{asked.Suffix}\"";
            return TypedResults.Bytes(content, $"{asked.MediaType}; charset=utf-8");
        }

        if (await FindAsync(host, id, context.RequestAborted) is not var (_, status))
            return Problems.Unknown(context, kind.Name);
        if (!status.State.IsEnd())
            return Problems.NotFinished(context, kind.Name, id);
        var reason = status.Reasons.Count > 0 ? string.Join(" ", status.Reasons) : $"its program ended before the {kind.Name} did.";
        return Problems.NoReport(context, kind.Name, id, reason);
    }

    /// <summary>POST runs/{id}/stop: stops a job that is queued or running.</summary>
    public async Task<IResult> StopAsync(HttpContext context, IJobHost<TSpec, TStatus> host, string id)
    {
        if (RequestBody.IsForeign(context))
            return Problems.NotJson(context);
        if (await FindAsync(host, id, context.RequestAborted) is null)
            return Problems.Unknown(context, kind.Name);
        var result = await host.StopAsync(id, context.RequestAborted);
        if (result == StopResult.NotRunning)
            return Problems.NotRunning(context, kind.Name, id);
        if (result != StopResult.Stopping)
            return Problems.Ended(context, kind.Name, id);
        var (status, report, stop) = LinksOf(context, id);
        return Accepted.Create(context, new Stopping(id, status, report, stop), status);
    }

    /// <summary>The request that started a job, as reports show it. Other parameters are left out, because they may be keys.</summary>
    private string StartText(string? failIf) =>
        $"POST /{ApiRoutes.Prefix}/{kind.Collection}" + (failIf is null ? "" : $" with failIf={failIf}");

    private IResult Started(
        HttpContext context, string id, TSpec spec, IEnumerable<RunSpec> left, string? failIf = null, string? note = null)
    {
        var (status, report, stop) = LinksOf(context, id);
        var specs = left.ToList();
        var condition = failIf is null ? null : FailIfExpression.Check(failIf, names: null).Value;
        var warnings = kind.WarningsOf(spec).Concat(specs.SelectMany(run => SpecWarnings.From(run, rules.Target)))
            .Concat(HostRuleChecks.Warnings(rules, specs)).Concat(condition is null ? [] : LimitNumbers.ProbablyInverted(condition))
            .Distinct().ToList();
        return Accepted.Create(
            context,
            new StartedJob(id, status, report, stop, StartEstimate.From(specs, rules))
            {
                Runs = kind.HasRuns ? kind.KnownRunsOf(spec).Count : null, Note = note, Warnings = warnings.Count > 0 ? warnings : null,
            },
            status);
    }

    private ResourceLinks LinksOf(HttpContext context, string id) => ResourceLinks.Create(context, kind.Collection, id);

    /// <summary>A job's spec and status; null if there is no such job.</summary>
    private async Task<(TSpec Spec, TStatus Status)?> FindAsync(
        IJobHost<TSpec, TStatus> host, string id, CancellationToken cancellationToken)
    {
        // Only valid ids are looked up, which prevents path traversal out of the run store.
        if (!TextForm.RunId.Fits(id) || await kind.ReadSpecAsync(store, id, cancellationToken) is not { } spec)
            return null;
        var status = await host.ReadStatusAsync(id, spec, cancellationToken);
        return (spec, status ?? await kind.ReadStoredAsync(store, id, spec, cancellationToken));
    }

    /// <summary>
    /// The status of a job for the list. A job with unusable items does not fail the list. A request for the status of that job reports the
    /// error.
    /// </summary>
    private async Task<TStatus> ReadListedAsync(IJobHost<TSpec, TStatus> host, string id, CancellationToken cancellationToken)
    {
        try
        {
            // The store comes first, because most jobs of a list have ended, and reading the store is cheaper than asking the host.
            var stored = await kind.ReadStoredAsync(store, id, spec: null, cancellationToken);
            return stored.State == HostedState.Interrupted
                ? await host.ReadStatusAsync(id, spec: null, cancellationToken) ?? stored
                : stored;
        }
        catch (EvidenceException e)
        {
            if (_logged.IsNew(id, e.Message))
                logger.JobUnusable(kind.Name, id, e.Message);
            return kind.Unusable;
        }
    }
}
