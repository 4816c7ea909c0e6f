namespace ScaleOut.Storage;

/// <summary>
/// A run or an experiment as the list of runs shows it. Its state is not part of it: that is read from the run's own items.
/// </summary>
/// <param name="Name">The name in its spec; null when there is none.</param>
/// <param name="StartedAt">When it was asked for, UTC.</param>
public sealed record RunListing(string Id, string? Name, DateTimeOffset StartedAt)
{
    private const int Digits = 19;

    /// <summary>Whether it is an experiment. The runs of an experiment are listed by themselves.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsExperiment { get; init; }

    /// <summary>Id of the experiment that the run belongs to; null for a run of its own, and for an experiment.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public string? Experiment { get; init; }

    /// <summary>
    /// Orders listings newest first, and by id within a tick, when keys are compared ordinally: it has the ticks that are left until the
    /// end of time, and the id.
    /// </summary>
    public string SortKey => FormattableString.Invariant($"{DateTimeOffset.MaxValue.UtcTicks - StartedAt.UtcTicks:D19}-{Id}");

    /// <summary>The id and the start in a <see cref="SortKey"/>; null when the text is not one.</summary>
    public static (string Id, DateTimeOffset StartedAt)? ReadSortKey(string text) =>
        text.Length > Digits + 1 && text[Digits] == '-'
            && long.TryParse(text.AsSpan(0, Digits), NumberStyles.None, CultureInfo.InvariantCulture, out var left)
            && left <= DateTimeOffset.MaxValue.UtcTicks
            ? (text[(Digits + 1)..], new DateTimeOffset(DateTimeOffset.MaxValue.UtcTicks - left, TimeSpan.Zero))
            : null;
}

/// <summary>A page of the list of runs.</summary>
/// <param name="Runs">Newest first.</param>
/// <param name="Continuation">Asks for the next page; null on the last one. Opaque, but safe to show.</param>
public sealed record RunPage(IReadOnlyList<RunListing> Runs, string? Continuation);

/// <summary>The list of runs, newest first.</summary>
public interface IRunCatalog
{
    /// <summary>Most runs that a page may be asked to hold.</summary>
    const int MaxPageSize = 1_000;

    /// <summary>Adds a run unless it is there. A repeated call with the same id changes nothing.</summary>
    Task AddAsync(RunListing run, CancellationToken cancellationToken);

    /// <summary>A page of the list.</summary>
    /// <param name="continuation">From the page before; null for the first.</param>
    /// <param name="pageSize">1 to <see cref="MaxPageSize"/>. A page may hold fewer runs and still not be the last.</param>
    /// <param name="where">Which runs and experiments are wanted; null for all.</param>
    /// <exception cref="FormatException">The continuation does not come from this list.</exception>
    Task<RunPage> ListAsync(
        string? continuation, int pageSize, CancellationToken cancellationToken, Func<RunListing, bool>? where = null);
}
