namespace ScaleOut.Experiments;

/// <summary>New ids of experiments, and the ids of their runs and orchestrations.</summary>
public static class ExperimentIds
{
    private const string Prefix = "experiment:";

    /// <summary>
    /// A new id, such as <c>x-20261121-170412-x7</c>. Ids sort by time, and no new run gets one of them.
    /// </summary>
    public static string New(DateTimeOffset now) => $"x{RunIds.New(now)[1..]}";

    /// <summary>The id of a variant's run, such as <c>ladder-v03-r02</c>.</summary>
    /// <param name="variant">Counted from 0.</param>
    /// <param name="repeat">Counted from 1.</param>
    public static string OfRun(string experimentId, int variant, int repeat) => $"{experimentId}-v{variant + 1:00}-r{repeat:00}";

    /// <summary>The id of a run of a search for a limit, such as <c>orders-1131e3r02</c>.</summary>
    /// <param name="rate">Operations per second.</param>
    /// <param name="repeat">Counted from 1.</param>
    public static string OfRun(string experimentId, double rate, int repeat) =>
        $"{experimentId}-{LimitRate.NameOf(rate)}r{repeat:00}";

    /// <summary>Text for the report of an experiment's run that says what started the run.</summary>
    public static string StartOf(string experimentId) => $"experiment {experimentId}";

    /// <summary>
    /// The instance id of an experiment's orchestration. Instances of runs have the runs' own ids, and no run's id has a colon.
    /// </summary>
    /// <param name="attempt">1 for the start, and one more for each resume. Each needs an id of its own, because engines differ in whether
    /// the id of an ended orchestration can be used again.</param>
    public static string InstanceId(string experimentId, int attempt = 1) =>
        attempt == 1 ? $"{Prefix}{experimentId}" : string.Create(CultureInfo.InvariantCulture, $"{Prefix}{experimentId}:{attempt}");

    /// <summary>The attempt in an instance id that <see cref="InstanceId"/> made; 1 for any other id.</summary>
    public static int AttemptIn(string instanceId) =>
        instanceId.Split(':') is [_, _, var text]
        && int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var attempt)
        && attempt > 1
            ? attempt
            : 1;
}
