namespace ScaleOut.Simulator.Protocol;

internal static class ConsistencyLevels
{
    /// <summary>The level of a header; null for an unknown one.</summary>
    public static ConsistencyLevel? From(string name) =>
        name.All(char.IsAsciiLetter) && Enum.TryParse(name, ignoreCase: true, out ConsistencyLevel level) ? level : null;

    /// <summary>The level of the Direct protocol's number; null for an unknown one.</summary>
    public static ConsistencyLevel? From(byte number) => number switch
    {
        0 => ConsistencyLevel.Strong,
        1 => ConsistencyLevel.BoundedStaleness,
        2 => ConsistencyLevel.Session,
        3 => ConsistencyLevel.Eventual,
        4 => ConsistencyLevel.ConsistentPrefix,
        _ => null,
    };

    /// <summary>
    /// The charges of a request's work. At Strong and BoundedStaleness consistency, a read asks two replicas. A Direct client sends each of
    /// them a request and adds both charges, so each costs one read. The gateway asks both itself, and the account does the reads of a
    /// batch, so these cost double.
    /// </summary>
    public static RequestCharges ChargesOf(AccountRequest request, AccountEngine engine, DocumentWork work)
    {
        var isStrong = (request.Consistency ?? engine.Consistency).AsksTwoReplicas();
        var asksTwice = work.Kind == OperationKind.Batch || (!work.IsWrite && request.Mode == ConnectionMode.Gateway);
        return isStrong && asksTwice ? engine.Charges.Strong : engine.Charges;
    }

    /// <exception cref="RequestException">400: the level is stronger than the account's.</exception>
    public static void Check(ConsistencyLevel? level, ConsistencyLevel ofAccount)
    {
        if (level < ofAccount)
        {
            throw RequestException.BadRequest(
                $"ConsistencyLevel {level} specified in the request is invalid when service is configured "
                + $"with consistency level {ofAccount}. "
                + "Ensure the request consistency level is not stronger than the service consistency level.");
        }
    }
}
