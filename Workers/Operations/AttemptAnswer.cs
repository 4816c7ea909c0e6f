namespace ScaleOut.Workers.Operations;

/// <summary>The answer to one attempt.</summary>
/// <param name="Kind">What to do next.</param>
/// <param name="Status">HTTP status; 0 when there was no answer at all.</param>
/// <param name="SubStatus">Sub-status; 0 when there is none.</param>
/// <param name="RequestUnits">RU charged.</param>
/// <param name="RetryAfter">How long the account asks to wait.</param>
/// <param name="Reason">For people, on errors.</param>
public readonly record struct AttemptAnswer(AttemptKind Kind, int Status, int SubStatus, double RequestUnits, TimeSpan RetryAfter, string? Reason)
{
    /// <summary>Of a query: the requests that the SDK sent since the last answer, which have the charges; null for all others.</summary>
    public QueryCalls? Calls { get; init; }

    /// <summary>Sub-statuses from here on are the SDK's own: the account did not answer.</summary>
    private const int FirstClientSubStatus = 20_000;

    /// <summary>Whether the account itself answered.</summary>
    public bool FromAccount => Status != 0 && SubStatus < FirstClientSubStatus;

    /// <summary>Such as <c>429/3200</c>, or <c>400</c> without a sub-status.</summary>
    public string Code => SubStatus == 0 ? $"{Status}" : $"{Status}/{SubStatus}";
}
