using ScaleOut.Simulator.Engine;
using ScaleOut.Simulator.Engine.Documents;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Protocol;

/// <summary>Consistency levels as requests name them.</summary>
internal static class ConsistencyLevels
{
    /// <summary>From the name in a header; null for none.</summary>
    public static ConsistencyLevel? From(string name) =>
        name.All(char.IsAsciiLetter) && Enum.TryParse(name, ignoreCase: true, out ConsistencyLevel level) ? level : null;

    /// <summary>From the number of the Direct protocol; null for none.</summary>
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
    /// What a request's work costs. Reads at Strong and BoundedStaleness consistency cost double, since two replicas are asked: the gateway
    /// asks both itself, while a Direct client sends each of them a request of its own. Of a batch the account does the reads.
    /// </summary>
    public static RequestCharges ChargesOf(AccountRequest request, AccountEngine engine, DocumentWork work)
    {
        bool isStrong = (request.Consistency ?? engine.Consistency).AsksTwoReplicas();
        bool asksTwice = work.Kind == OperationKind.Batch || (!work.IsWrite && request.Mode == ConnectionMode.Gateway);
        return isStrong && asksTwice ? engine.Charges.Strong : engine.Charges;
    }

    /// <exception cref="RequestException">400: a request asks for more than the account keeps.</exception>
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
