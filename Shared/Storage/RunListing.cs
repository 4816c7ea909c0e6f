namespace ScaleOut.Storage;

/// <summary>
/// A run, or an experiment, as the list of runs shows it. Its state is not part of it: that is read from the run's own items.
/// </summary>
/// <param name="Id">The run's id.</param>
/// <param name="Name">The name its spec gives it; null when it gives none.</param>
/// <param name="StartedAt">When it was asked for, UTC.</param>
public sealed record RunListing(string Id, string? Name, DateTimeOffset StartedAt)
{
    /// <summary>Whether it is an experiment, whose runs are listed by themselves.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsExperiment { get; init; }

    /// <summary>
    /// Orders listings, newest first and by id within a tick, when compared ordinally: the ticks that are left until the end of time, and
    /// the id.
    /// </summary>
    public string SortKey => FormattableString.Invariant($"{DateTimeOffset.MaxValue.UtcTicks - StartedAt.UtcTicks:D19}-{Id}");

    /// <summary>The id and the start that a <see cref="SortKey"/> holds; null when the text is none.</summary>
    public static (string Id, DateTimeOffset StartedAt)? ReadSortKey(string text)
    {
        const int digits = 19;
        return text.Length > digits + 1 && text[digits] == '-'
            && long.TryParse(
                text.AsSpan(0, digits),
                System.Globalization.NumberStyles.None,
                System.Globalization.CultureInfo.InvariantCulture,
                out var left)
            && left <= DateTimeOffset.MaxValue.UtcTicks
            ? (text[(digits + 1)..], new DateTimeOffset(DateTimeOffset.MaxValue.UtcTicks - left, TimeSpan.Zero))
            : null;
    }
}

/// <summary>A page of the list of runs.</summary>
/// <param name="Runs">Newest first.</param>
/// <param name="Continuation">Asks for the next page; null when this is the last. Opaque, but safe to show.</param>
public sealed record RunPage(IReadOnlyList<RunListing> Runs, string? Continuation);

/// <summary>The list of runs, newest first.</summary>
public interface IRunCatalog
{
    /// <summary>Most runs that a page may be asked to hold.</summary>
    const int MaxPage = 1_000;

    /// <summary>
    /// Adds a run unless it is there already: a repeated call with the same id changes nothing, whatever start it brings.
    /// </summary>
    Task AddAsync(RunListing run, CancellationToken cancellationToken);

    /// <summary>A page of the list.</summary>
    /// <param name="continuation">From the page before; null for the first.</param>
    /// <param name="pageSize">Most runs of the page, 1 to <see cref="MaxPage"/>. A page may hold fewer and still not be the
    /// last.</param>
    /// <param name="where">Which runs and experiments are wanted; null for all.</param>
    /// <exception cref="FormatException">The continuation is none that a page gave.</exception>
    Task<RunPage> ListAsync(string? continuation, int pageSize, Func<RunListing, bool>? where, CancellationToken cancellationToken);
}

/// <summary>Pages of a list without a choice among its runs.</summary>
internal static class WholeRunCatalog
{
    /// <inheritdoc cref="IRunCatalog.ListAsync"/>
    public static Task<RunPage> ListAsync(
        this IRunCatalog catalog, string? continuation, int pageSize, CancellationToken cancellationToken)
    {
        return catalog.ListAsync(continuation, pageSize, where: null, cancellationToken);
    }
}
