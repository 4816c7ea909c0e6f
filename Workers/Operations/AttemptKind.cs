namespace ScaleOut.Workers.Operations;

/// <summary>What one attempt at an operation came to.</summary>
public enum AttemptKind
{
    /// <summary>The documents were put by this attempt.</summary>
    Put,

    /// <summary>They were there already.</summary>
    AlreadyThere,

    /// <summary>429: try again after <see cref="AttemptAnswer.RetryAfter"/>.</summary>
    Throttled,

    /// <summary>Not done; try again.</summary>
    Retry,

    /// <summary>Whether it was done is not known (time-out, broken connection, server error); try again.</summary>
    RetryUncertain,

    /// <summary>No retry can help these documents.</summary>
    Failed,

    /// <summary>The account refuses the client itself; nothing else will work either.</summary>
    Refused,
}
