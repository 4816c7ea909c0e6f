namespace ScaleOut.Measurement;

/// <summary>
/// What a leg returns to the orchestration, at most 2 KB as JSON. The <see cref="LegResult"/> in the run store has the rest.
/// </summary>
public sealed record LegOutput
{
    /// <summary>Maximum length of <see cref="Reason"/>, in characters.</summary>
    public const int MaxReasonLength = 400;

    public required int Worker { get; init; }

    public required int Leg { get; init; }

    public required LegEnd End { get; init; }

    public Counts Counts { get; init; }

    /// <summary>Lowest document number that is not done; the slice's end if all are done.</summary>
    public required long Next { get; init; }

    /// <summary>Time from taking the first document number to the end of the last operation.</summary>
    public double Seconds { get; init; }

    /// <summary>Whether no operation was due during the leg, as in a slow open loop or in a step without work for the worker.</summary>
    public bool NothingDue { get; init; }

    /// <summary>Whether the leg already had a result when it was started, so that it did nothing.</summary>
    public bool IsKept { get; init; }

    /// <summary>Why the leg ended early or could not go on; null otherwise.</summary>
    public string? Reason { get; init; }

    /// <summary>
    /// Shortens a reason, by default to <see cref="MaxReasonLength"/>. Characters that JSON escapes with six bytes (control characters,
    /// separators, surrogates) become blanks, so that the longest reason still fits into 2 KB.
    /// </summary>
    public static string? Shorten(string? reason, int maxLength = MaxReasonLength) => reason is null
        ? null
        : ShortText.From(string.Concat(reason.Take(maxLength + 1).Select(c => IsPlain(c) ? c : ' ')), maxLength);

    private static bool IsPlain(char c) => char.GetUnicodeCategory(c)
        is not (UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.Surrogate or UnicodeCategory.PrivateUse
        or UnicodeCategory.OtherNotAssigned or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator
        or UnicodeCategory.SpaceSeparator);
}

[JsonConverter(typeof(CamelCaseEnumConverter<LegEnd>))]
public enum LegEnd
{
    SliceDone,

    /// <summary>The leg's time was over.</summary>
    TimeUp,

    /// <summary>The last step of the load was over.</summary>
    StepsDone,

    /// <summary>The run's stop flag was set.</summary>
    Stopped,

    /// <summary>The account did not respond for the time that a leg waits for it.</summary>
    AccountSilent,

    /// <summary>The account rejected the client itself, such as with a wrong key or a missing container.</summary>
    Rejected,
}

/// <summary>Thrown if a leg ended without a result: its process was killed, its instance is gone, or the call failed.</summary>
public sealed class LegLostException(string message, Exception? innerException = null) : Exception(message, innerException);
