namespace ScaleOut.Simulator.Engine.Operations;

/// <summary>A request that ends in the given status. Thrown only on ways that are rare; document operations return their status.</summary>
#pragma warning disable CA1032, CA1064 // Never constructed without a status, never leaves this assembly.
internal sealed class RequestException(int status, int subStatus, string message) : Exception(message)
#pragma warning restore CA1032, CA1064
{
    public int Status { get; } = status;

    public int SubStatus { get; } = subStatus;

    public static RequestException BadRequest(string message, int subStatus = 0) => new(400, subStatus, message);

    public static RequestException NotFound(int subStatus = 0) => new(404, subStatus, "Entity with the specified id does not exist in the system.");

    public static RequestException Conflict() => new(409, 0, "Entity with the specified id already exists in the system.");
}
