namespace ScaleOut.Workers.Accounts;

/// <summary>What a fault of an account means for who called it.</summary>
public enum AccountFaultKind
{
    /// <summary>The same call may succeed a little later: throttled, timed out, unavailable, no connection.</summary>
    Transient,

    /// <summary>The same call fails again until somebody mends something: wrong key, no right, nothing there, invalid.</summary>
    Refused,
}
