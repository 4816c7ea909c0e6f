namespace ScaleOut.Storage;

/// <summary>
/// An entry in the list of runs, for a run or an experiment. Its state is not part of the entry; it is read from the job's own items.
/// </summary>
/// <param name="Name">The name in the spec; null if there is none.</param>
/// <param name="StartedAt">When the job was submitted, UTC.</param>
public sealed record RunListing(string Id, string? Name, DateTimeOffset StartedAt)
{
    private const int Digits = 19;

    /// <summary>Whether the entry is an experiment. The runs of an experiment have entries of their own.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsExperiment { get; init; }

    /// <summary>Id of the experiment that the run belongs to; null for a single run and for an experiment.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public string? Experiment { get; init; }

    /// <summary>
    /// Key that sorts entries newest first, and by id within a tick, if keys are compared ordinally. It consists of the ticks from the
    /// start to <see cref="DateTimeOffset.MaxValue"/>, and the id.
    /// </summary>
    public string SortKey => FormattableString.Invariant($"{DateTimeOffset.MaxValue.UtcTicks - StartedAt.UtcTicks:D19}-{Id}");

    /// <summary>Parses a <see cref="SortKey"/>; null if the text is not one.</summary>
    public static (string Id, DateTimeOffset StartedAt)? ReadSortKey(string text) =>
        text.Length > Digits + 1 && text[Digits] == '-'
            && long.TryParse(text.AsSpan(0, Digits), NumberStyles.None, CultureInfo.InvariantCulture, out var left)
            && left <= DateTimeOffset.MaxValue.UtcTicks
            ? (text[(Digits + 1)..], new DateTimeOffset(DateTimeOffset.MaxValue.UtcTicks - left, TimeSpan.Zero))
            : null;
}

/// <param name="Runs">Newest first.</param>
/// <param name="Continuation">Token for the next page; null on the last page. Opaque, but safe to show.</param>
public sealed record RunPage(IReadOnlyList<RunListing> Runs, string? Continuation);

/// <summary>The list of runs, newest first.</summary>
public interface IRunCatalog
{
    /// <summary>Maximum size of a page.</summary>
    const int MaxPageSize = 1_000;

    /// <summary>Adds a run unless the list has it. A repeated call with the same id changes nothing.</summary>
    Task AddAsync(RunListing run, CancellationToken cancellationToken);

    /// <param name="continuation">Token of the previous page; null for the first page.</param>
    /// <param name="pageSize">1 to <see cref="MaxPageSize"/>. A page may have fewer entries and still not be the last.</param>
    /// <param name="where">Filters the entries; null for all.</param>
    /// <exception cref="FormatException">The continuation does not come from this list.</exception>
    Task<RunPage> ListAsync(
        string? continuation, int pageSize, CancellationToken cancellationToken, Func<RunListing, bool>? where = null);
}
