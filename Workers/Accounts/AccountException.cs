namespace ScaleOut.Workers.Accounts;

/// <summary>An account cannot be used as asked. Its message is one sentence for people, and holds no key and no token.</summary>
public sealed class AccountException : Exception
{
    public AccountException()
    {
    }

    public AccountException(string message)
        : base(message)
    {
    }

    public AccountException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    public AccountException(AccountFault fault, Exception innerException)
        : base(fault?.Message, innerException)
    {
        ArgumentNullException.ThrowIfNull(fault);
        Kind = fault.Kind;
    }

    /// <summary>Default <see cref="AccountFaultKind.Refused"/>.</summary>
    public AccountFaultKind Kind { get; init; } = AccountFaultKind.Refused;
}
