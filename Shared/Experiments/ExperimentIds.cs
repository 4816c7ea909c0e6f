namespace ScaleOut.Experiments;

/// <summary>Ids of experiments and of their orchestrations.</summary>
public static class ExperimentIds
{
    private const string Prefix = "experiment:";

    /// <summary>
    /// A new id, such as <c>x-20261121-170412-x7</c>. Ids sort by time, and none is a run's.
    /// </summary>
    public static string New(DateTimeOffset now) => $"x{RunIds.New(now)[1..]}";

    /// <summary>What started a run of an experiment, for its report.</summary>
    public static string StartOf(string experimentId) => $"experiment {experimentId}";

    /// <summary>
    /// The instance id of an experiment's orchestration. Instances of runs have the runs' own ids, and no run's id has a colon.
    /// </summary>
    /// <param name="attempt">1 for the start, and one more for each resume: what an engine does with the id of an orchestration that has
    /// ended is not the same everywhere.</param>
    public static string InstanceId(string experimentId, int attempt = 1) =>
        attempt == 1 ? $"{Prefix}{experimentId}" : string.Create(CultureInfo.InvariantCulture, $"{Prefix}{experimentId}:{attempt}");

    /// <summary>The attempt that an instance id of <see cref="InstanceId"/> is of; 1 for any other.</summary>
    public static int AttemptIn(string instanceId)
    {
        return instanceId.Split(':') is [_, _, var text]
            && int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var attempt)
            && attempt > 1
                ? attempt
                : 1;
    }
}
