using System.Globalization;

namespace ScaleOut.Orchestration;

/// <summary>
/// Ids of the orchestrations of a run: its own, which is the run's id unless it is measured anew, and those below it. They are a function of the run and the child, so that a replay or a second start of the same
/// child finds the first. The colon cannot be part of a run's id.
/// </summary>
public static class ChildIds
{
    private const string AgainMark = ":again-";

    /// <summary>A run that an experiment measures anew, such as <c>ladder-v01-r02:again-2</c>.</summary>
    /// <param name="runId">The run's.</param>
    /// <param name="attempt">The experiment's attempt, from 2.</param>
    public static string Again(string runId, int attempt) => string.Create(CultureInfo.InvariantCulture, $"{runId}{AgainMark}{attempt}");

    /// <summary>The id of the run's own orchestration, for one of its orchestrations.</summary>
    /// <param name="runId">The run's.</param>
    /// <param name="instanceId">Of the run's orchestration, or of one below it.</param>
    public static string Root(string runId, string instanceId)
    {
        ArgumentNullException.ThrowIfNull(runId);
        ArgumentNullException.ThrowIfNull(instanceId);
        var start = runId + AgainMark;
        return instanceId.StartsWith(start, StringComparison.Ordinal) ? start + instanceId[start.Length..].Split(':')[0] : runId;
    }

    /// <summary>The group that begins with a worker, such as <c>million-1:group-0050</c>.</summary>
    public static string Group(string root, int firstWorker) => string.Create(CultureInfo.InvariantCulture, $"{root}:group-{firstWorker:D4}");

    /// <summary>A worker, such as <c>million-1:worker-0007</c>.</summary>
    public static string Worker(string root, int worker) => string.Create(CultureInfo.InvariantCulture, $"{root}:worker-{worker:D4}");
}
