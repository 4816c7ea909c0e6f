namespace ScaleOut.Workers.Operations;

/// <summary>What one attempt at an operation came to.</summary>
public enum AttemptKind
{
    /// <summary>Done by this attempt: documents were put, read or deleted, or the last page of a query was read.</summary>
    Put,

    /// <summary>The documents were already as this attempt would have made them: put, or deleted.</summary>
    AlreadyThere,

    /// <summary>A page was read, and there are more: go on at once.</summary>
    Continued,

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
