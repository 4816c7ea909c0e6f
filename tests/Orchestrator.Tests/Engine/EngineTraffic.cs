using System.Collections.Concurrent;

namespace ScaleOut.Orchestrator.Tests.Engine;

/// <summary>What went between the engine and the orchestrations.</summary>
internal sealed class EngineTraffic
{
    private readonly ConcurrentDictionary<Type, int> _largest = new();
    private readonly ConcurrentDictionary<string, InstanceTraffic> _instances = new();
    private readonly ConcurrentDictionary<string, bool> _longHistories = new();

    /// <summary>Bytes of the largest payload of each type: inputs, outputs and statuses.</summary>
    public IReadOnlyDictionary<Type, int> LargestPayloads => _largest;

    /// <summary>By instance id.</summary>
    public IReadOnlyDictionary<string, InstanceTraffic> Instances => _instances;

    /// <summary>Instances whose history went over 1 MiB.</summary>
    public IEnumerable<string> LongHistories => _longHistories.Keys;

    public void NoteLongHistory(string instanceId) => _longHistories[instanceId] = true;

    public void AddPayload(Type type, int bytes) => _largest.AddOrUpdate(type, bytes, (_, known) => Math.Max(known, bytes));

    public void AddWorkItem(string instanceId, int events, int bytes) => _instances.AddOrUpdate(
        instanceId,
        _ => new InstanceTraffic(1, events, bytes),
        (_, known) => new InstanceTraffic(known.WorkItems + 1, Math.Max(known.Events, events), Math.Max(known.HistoryBytes, bytes)));
}
