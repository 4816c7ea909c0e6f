namespace ScaleOut.Simulator.Accounts;

/// <summary>A port that the account was told to listen on is taken.</summary>
#pragma warning disable CA1032 // Never constructed without a port.
public sealed class PortInUseException(int port, string purpose) : IOException($"Port {port} on 127.0.0.1, asked for the simulated account's {purpose}, is in use by another process.")
#pragma warning restore CA1032
{
    public int Port { get; } = port;
}
