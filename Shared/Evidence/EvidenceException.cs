namespace ScaleOut.Evidence;

/// <summary>
/// An item of the run store cannot be used as evidence. The message names the item, says what is wrong with it and what to do. Reading it
/// again gives the same error, so no activity is retried for it (<see cref="Orchestration.OrchestrationTaskException.IsDeterministic"/>).
/// </summary>
public sealed class EvidenceException : Exception
{
    private EvidenceException(EvidenceProblem problem, string item, string reason, string message)
        : base(message) => (Problem, Item, Reason) = (problem, item, reason);

    /// <summary>What kind of problem it is.</summary>
    public EvidenceProblem Problem { get; }

    /// <summary>The run's id and the item's name, such as <c>million-1/prepared.json</c>.</summary>
    public string Item { get; }

    /// <summary>What is wrong, without the item's name, such as <c>it is empty</c>.</summary>
    public string Reason { get; }

    /// <summary>An item whose content is not what was written under its name.</summary>
    /// <param name="item">The run's id and the item's name.</param>
    /// <param name="reason">What is wrong, such as <c>it is empty</c>.</param>
    public static EvidenceException Damaged(string item, string reason) => new(
        EvidenceProblem.Damaged,
        item,
        reason,
        $"{item} is damaged: {reason}. Restore a copy of the item, or start the run again under another id.");

    /// <summary>An item that is whole, and says what another item or its own other fields rule out.</summary>
    /// <param name="item">The run's id and the item's name.</param>
    /// <param name="advice">What to do, as a sentence.</param>
    public static EvidenceException Contradicts(string item, string reason, string advice) => new(
        EvidenceProblem.Contradiction, item, reason, $"{item} contradicts itself or its run: {reason}. {advice}");

    /// <summary>An item in a format of another version of this program.</summary>
    /// <param name="item">The run's id and the item's name.</param>
    /// <param name="format">Its format; null for one from before formats had versions.</param>
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
    /// <summary>Its content is not what was written under its name: cut short, changed, or a copy of another item.</summary>
    Damaged,

    /// <summary>It is whole, and says what cannot be.</summary>
    Contradiction,

    /// <summary>An older version of the program wrote it.</summary>
    OlderFormat,

    /// <summary>A newer version of the program wrote it.</summary>
    NewerFormat,
}
