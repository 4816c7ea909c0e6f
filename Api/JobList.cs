namespace ScaleOut.Api;

/// <summary>Responds with pages of the list of one kind of job.</summary>
/// <param name="collection">Path of the collection, such as <see cref="ApiRoutes.Runs"/>.</param>
internal sealed class JobList(IRunCatalog catalog, Func<RunListing, bool> isOfKind, string collection)
{
    private const int DefaultPageSize = 20;
    private const int MaxPageSize = 100;

    /// <summary>
    /// Maximum number of the catalog's pages that one request reads to find jobs in a rare state. The next request continues.
    /// </summary>
    private const int MaxPageReads = 20;

    private static readonly string[] States = [.. Enum.GetNames<HostedState>().Select(name => name.ToLowerInvariant())];

    /// <summary>Responds with the page that a request asks for, newest first.</summary>
    /// <param name="context">The request. Its parameters are <c>pageSize</c>, <c>continuation</c>, <c>search</c> (a part of the id or name)
    /// and <c>state</c>.</param>
    /// <param name="itemAsync">Returns the state of a job and its entry in the response.</param>
    /// <param name="respond">Makes the body from the entries, the continuation and the next page's address.</param>
    public async Task<IResult> RespondAsync(
        HttpContext context, Func<RunListing, Task<(HostedState State, object Item)>> itemAsync,
        Func<IReadOnlyList<object>, string?, string?, object> respond)
    {
        var query = context.Request.Query;
        var (search, state) = (query["search"].FirstOrDefault(), query["state"].FirstOrDefault());
        var size = DefaultPageSize;
        var errors = new List<ValidationError>();
        if (query["pageSize"].FirstOrDefault() is { } text
            && !(int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out size) && size is >= 1 and <= MaxPageSize))
            errors.Add(new("pageSize", $"is not a whole number, 1 to {MaxPageSize}"));
        if (!string.IsNullOrEmpty(state) && !States.Contains(state))
            errors.Add(new("state", $"{ErrorText.Quote(state)} is not one of {string.Join(", ", States)}"));
        if (errors.Count > 0)
            return Problems.InvalidParameters(context, errors);

        var items = new List<object>();
        var continuation = query["continuation"].FirstOrDefault();
        var reads = 0;
        try
        {
            do
            {
                var page = await catalog.ListAsync(
                    continuation, size - items.Count, context.RequestAborted, run => IsWanted(run, search));
                var found = await Task.WhenAll(page.Runs.Select(itemAsync));
                items.AddRange(found
                    .Where(job => string.IsNullOrEmpty(state) || job.State == Enum.Parse<HostedState>(state, ignoreCase: true))
                    .Select(job => job.Item));
                continuation = page.Continuation;
            }
            while (continuation is not null && items.Count < size && ++reads < MaxPageReads);
        }
        catch (FormatException)
        {
            // The response reports it.
            return Problems.InvalidParameter(context, "continuation", "is not one that an earlier page returned");
        }

        return Accepted.Status(context, respond(items, continuation, NextOf(context, size, continuation, search, state)), ended: true);
    }

    // Only valid ids are looked up, which prevents path traversal out of the run store.
    private bool IsWanted(RunListing run, string? search) =>
        isOfKind(run)
        && TextForm.RunId.Fits(run.Id)
        && (string.IsNullOrWhiteSpace(search)
            || run.Id.Contains(search.Trim(), StringComparison.OrdinalIgnoreCase)
            || run.Name?.Contains(search.Trim(), StringComparison.OrdinalIgnoreCase) == true);

    private string? NextOf(HttpContext context, int size, string? continuation, string? search, string? state)
    {
        if (continuation is null)
            return null;
        var query = QueryString.Create("pageSize", size.ToString(CultureInfo.InvariantCulture)).Add("continuation", continuation);
        if (!string.IsNullOrEmpty(search))
            query = query.Add("search", search);
        if (!string.IsNullOrEmpty(state))
            query = query.Add("state", state);
        return $"{ResourceLinks.CollectionUri(context, collection)}{query}";
    }
}
