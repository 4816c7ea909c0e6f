namespace ScaleOut.Simulator.Engine.Physics;

/// <summary>What the rules do to one request.</summary>
internal readonly record struct FaultDecision(double DelayMs, int? Status, int SubStatus, bool CloseConnection, bool AfterOperation)
{
    /// <summary>Whether the client gets something else than the operation's own answer.</summary>
    public bool ReplacesAnswer => Status is not null || CloseConnection;
}
