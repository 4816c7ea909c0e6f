namespace ScaleOut.Orchestrator.Tests.Engine;

/// <summary>What the engine sent for one orchestration.</summary>
/// <param name="WorkItems">How often it was run; each time but the first of a generation it replays the history from its start.</param>
/// <param name="Events">Events of the longest history.</param>
/// <param name="HistoryBytes">Bytes of the largest history.</param>
internal sealed record InstanceTraffic(int WorkItems, int Events, int HistoryBytes);
