namespace ScaleOut.Storage;

/// <summary>A run as the list of runs shows it. Its state is not part of it: that is read from the run's own items.</summary>
/// <param name="Id">The run's id.</param>
/// <param name="Name">The name its spec gives it; null when it gives none.</param>
/// <param name="StartedAt">When it was asked for, UTC.</param>
public sealed record RunListing(string Id, string? Name, DateTimeOffset StartedAt)
{
    /// <summary>
    /// Puts listings in order, newest first and by id within a tick, when compared ordinally: the ticks that are left until the end of time, and the id.
    /// </summary>
    public string SortKey => FormattableString.Invariant($"{DateTimeOffset.MaxValue.UtcTicks - StartedAt.UtcTicks:D19}-{Id}");

    /// <summary>The id and the start that a <see cref="SortKey"/> holds; null when the text is none.</summary>
    public static (string Id, DateTimeOffset StartedAt)? ReadSortKey(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        const int digits = 19;
        return text.Length > digits + 1 && text[digits] == '-'
            && long.TryParse(text.AsSpan(0, digits), System.Globalization.NumberStyles.None, System.Globalization.CultureInfo.InvariantCulture, out var left)
            && left <= DateTimeOffset.MaxValue.UtcTicks
            ? (text[(digits + 1)..], new DateTimeOffset(DateTimeOffset.MaxValue.UtcTicks - left, TimeSpan.Zero))
            : null;
    }
}
