using System.Globalization;

namespace ScaleOut.Orchestration;

/// <summary>
/// Ids of the orchestrations below a run's own, whose id is the run's. They are a function of the run and the child, so that a replay or a second start of the same
/// child finds the first. The colon cannot be part of a run's id.
/// </summary>
public static class ChildIds
{
    /// <summary>The group that begins with a worker, such as <c>million-1:group-0050</c>.</summary>
    public static string Group(string runId, int firstWorker) => string.Create(CultureInfo.InvariantCulture, $"{runId}:group-{firstWorker:D4}");

    /// <summary>A worker, such as <c>million-1:worker-0007</c>.</summary>
    public static string Worker(string runId, int worker) => string.Create(CultureInfo.InvariantCulture, $"{runId}:worker-{worker:D4}");
}
