namespace ScaleOut.Workers.Accounts;

/// <summary>What went wrong with an account, for people and for retries.</summary>
/// <param name="Kind">Whether the same call may succeed a little later.</param>
/// <param name="Message">One sentence without keys, tokens or stack traces.</param>
public sealed record AccountFault(AccountFaultKind Kind, string Message);
