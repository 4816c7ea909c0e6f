namespace ScaleOut.Evidence;

/// <summary>
/// Thrown if an item of the run store cannot be used. The message names the item, its error and what to do. Activities that throw it are
/// not retried, because reading the item again gives the same error.
/// </summary>
public sealed class EvidenceException : Exception
{
    private EvidenceException(EvidenceProblem problem, string item, string reason, string message)
        : base(message) => (Problem, Item, Reason) = (problem, item, reason);

    public EvidenceProblem Problem { get; }

    /// <summary>The run's id and the item's name, such as <c>million-1/prepared.json</c>.</summary>
    public string Item { get; }

    /// <summary>The error without the item's name, such as <c>it is empty</c>.</summary>
    public string Reason { get; }

    /// <summary>The item's content is not what was written under its name.</summary>
    public static EvidenceException Damaged(string item, string reason) => new(
        EvidenceProblem.Damaged,
        item,
        reason,
        $"{item} is damaged: {reason}. Restore a copy of the item, or start the run again under another id.");

    /// <summary>The item is undamaged, but another item or another of its own fields contradicts it.</summary>
    /// <param name="advice">What to do, as a sentence.</param>
    public static EvidenceException Contradicts(string item, string reason, string advice) => new(
        EvidenceProblem.Contradiction, item, reason, $"{item} contradicts itself or its run: {reason}. {advice}");

    /// <summary>The item was written in the format of another version of this program.</summary>
    /// <param name="format">Null for an item from before formats had versions.</param>
    public static EvidenceException OtherFormat(string item, int? format)
    {
        var isNewer = format > StoredItem.FormatVersion;
        var writer = isNewer ? "a newer version" : "an older version";
        var formats = FormattableString.Invariant($"format {format ?? 1}; this version reads format {StoredItem.FormatVersion}");
        var reason = $"it was written by {writer} of this program ({formats})";
        return new(
            isNewer ? EvidenceProblem.NewerFormat : EvidenceProblem.OlderFormat,
            item,
            reason,
            $"{item} cannot be read: {reason}. Use that version for what it wrote, or start again under another id.");
    }
}

/// <summary>Why an item of the run store cannot be used.</summary>
public enum EvidenceProblem
{
    /// <summary>The content is not what was written under the item's name: it is cut short, changed, or a copy of another item.</summary>
    Damaged,

    /// <summary>The item is undamaged, but contradicts itself or another item.</summary>
    Contradiction,

    OlderFormat,
    NewerFormat,
}
