namespace ScaleOut.Storage;

/// <summary>The list of runs, newest first.</summary>
public interface IRunCatalog
{
    /// <summary>Most runs that a page may be asked to hold.</summary>
    const int LargestPage = 1_000;

    /// <summary>Adds a run unless it is there already: a repeated call with the same id changes nothing, whatever start it brings.</summary>
    Task AddAsync(RunListing run, CancellationToken cancellationToken);

    /// <summary>A page of the list.</summary>
    /// <param name="continuation">From the page before; null for the first.</param>
    /// <param name="pageSize">Most runs of the page, 1 to <see cref="LargestPage"/>. A page may hold fewer and still not be the last.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="FormatException">The continuation is none that a page gave.</exception>
    Task<RunPage> ListAsync(string? continuation, int pageSize, CancellationToken cancellationToken);
}
