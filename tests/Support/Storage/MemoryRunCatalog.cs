namespace ScaleOut.Tests.Support.Storage;

internal sealed class MemoryRunCatalog(params RunListing[] runs) : IRunCatalog
{
    private readonly List<RunListing> _runs = [.. runs];

    public int Pages { get; private set; }

    public Task AddAsync(RunListing run, CancellationToken cancellationToken)
    {
        if (_runs.All(known => known.Id != run.Id))
            _runs.Add(run);
        return Task.CompletedTask;
    }

    public Task<RunPage> ListAsync(
        string? continuation, int pageSize, CancellationToken cancellationToken, Func<RunListing, bool>? where = null)
    {
        Pages++;
        var rest = _runs
            .OrderBy(run => run.SortKey, StringComparer.Ordinal)
            .Where(run => string.CompareOrdinal(run.SortKey, continuation) > 0 && where?.Invoke(run) != false).ToList();
        var page = rest.Take(pageSize).ToList();
        return Task.FromResult(new RunPage(page, page.Count < rest.Count ? page[^1].SortKey : null));
    }
}
