namespace ScaleOut.Orchestration;

/// <summary>
/// Keeps payloads below the limits of durable engines: reasons for people are shortened, counts never are. Sizes are bytes of
/// <see cref="ScaleOutJson.Compact"/>.
/// </summary>
public static class PayloadLimits
{
    /// <summary>Any input or output of an orchestration or activity: 1 MiB without an eighth for the engine's own envelope.</summary>
    public const int PayloadBytes = (1 << 20) * 7 / 8;

    /// <summary>A custom status: half of the 16 KB that Durable Functions takes.</summary>
    public const int StatusBytes = 8 * 1024;

    /// <summary>A leg's output.</summary>
    public const int LegOutputBytes = 2 * 1024;

    /// <summary>
    /// A group's output. The history of a run has it twice, as the result of the group and in the input of the report, and stays below 1
    /// MiB with 1,000 workers.
    /// </summary>
    public const int GroupOutputBytes = 20 * 1024;

    /// <summary>The status, within <see cref="StatusBytes"/>.</summary>
    public static OrchestrationStatus Fit(OrchestrationStatus status) =>
        Fit(status, StatusBytes, (all, longest) => all.Outcome is not { } outcome
            ? all
            : all with { Outcome = outcome with { Reasons = [.. outcome.Reasons.Select(reason => Cut(reason, longest)!)] } });

    /// <summary>The outcomes of a group, within <see cref="GroupOutputBytes"/>.</summary>
    public static IReadOnlyList<WorkerOutcome> Fit(IReadOnlyList<WorkerOutcome> group) => Fit(group, GroupOutputBytes, Cut);

    /// <summary>The ending, within <see cref="PayloadBytes"/>.</summary>
    public static RunEnding Fit(RunEnding ending) =>
        Fit(ending, PayloadBytes, (all, longest) => all with { Workers = Cut(all.Workers, longest) });

    /// <summary>Bytes of a value as JSON.</summary>
    public static int SizeOf<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, ScaleOutJson.Compact).Length;

    private static T Fit<T>(T value, int bytes, Func<T, int, T> cut)
    {
        for (var longest = LegOutput.MaxReasonLength; SizeOf(value) > bytes && longest > 0; longest = longest * 3 / 4)
            value = cut(value, longest);
        return value;
    }

    private static IReadOnlyList<WorkerOutcome> Cut(IReadOnlyList<WorkerOutcome> workers, int longest) =>
        [.. workers.Select(worker => worker with { Reason = Cut(worker.Reason, longest) })];

    /// <summary>Does not cut a surrogate pair in two.</summary>
    private static string? Cut(string? reason, int longest)
    {
        if (reason is null || reason.Length <= longest)
            return reason;
        return longest > 0 && char.IsHighSurrogate(reason[longest - 1]) ? reason[..(longest - 1)] : reason[..longest];
    }
}
