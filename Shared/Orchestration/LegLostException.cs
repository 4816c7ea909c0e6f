namespace ScaleOut.Orchestration;

/// <summary>A leg ended without a result: its process was killed, its instance is gone, or the call failed.</summary>
public sealed class LegLostException : Exception
{
    public LegLostException()
    {
    }

    public LegLostException(string message)
        : base(message)
    {
    }

    public LegLostException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
