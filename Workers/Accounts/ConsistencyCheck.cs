using ScaleOut.Specs;

namespace ScaleOut.Workers.Accounts;

/// <summary>A client may weaken the account's consistency, never strengthen it.</summary>
internal static class ConsistencyCheck
{
    /// <summary>One refusal for each place of the spec that asks for more than the account gives.</summary>
    public static IEnumerable<string> RefusalsOf(RunSpec spec, ConsistencyLevel ofAccount)
    {
        var asked = spec.WorkerOverrides
            .Select((entry, index) => (Path: $"workerOverrides[{index}].client.consistency", Level: entry.Client.Consistency))
            .Prepend((Path: "client.consistency", Level: spec.Client.Consistency));
        return asked
            .Where(item => item.Level is { } level && level < ofAccount)
            .Select(item => $"{item.Path}: {item.Level} is stronger than the account's {ofAccount}.");
    }
}
