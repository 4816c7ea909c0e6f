namespace ScaleOut.Orchestration;

/// <summary>
/// What durable engines let through, and how a payload that may grow is kept below it: reasons for people are shortened, and counts never
/// are. Sizes are bytes of <see cref="ScaleOutJson.Compact"/>.
/// </summary>
public static class PayloadLimits
{
    /// <summary>
    /// Any input or output of an orchestration or activity: 1 MiB, of which an eighth is left to the engine's own envelope.
    /// </summary>
    public const int PayloadBytes = (1 << 20) * 7 / 8;

    /// <summary>A custom status: half of the 16 KB that Durable Functions takes.</summary>
    public const int StatusBytes = 8 * 1024;

    /// <summary>A leg's output.</summary>
    public const int LegOutputBytes = 2 * 1024;

    /// <summary>
    /// A group's output: so little that 1,000 workers, all with reasons, leave a run's own history below 1 MiB. It is there twice, as what
    /// the groups gave and as what the report is made of.
    /// </summary>
    public const int GroupOutputBytes = 20 * 1024;

    /// <summary>The status, within <see cref="StatusBytes"/>.</summary>
    public static OrchestrationStatus Fit(OrchestrationStatus status)
    {
        var longest = LegOutput.MaxReasonLength;
        for (; SizeOf(status) > StatusBytes && status.Outcome is { } outcome && longest > 0; longest = longest * 3 / 4)
            status = status with { Outcome = outcome with { Reasons = [.. outcome.Reasons.Select(reason => Cut(reason, longest)!)] } };
        return status;
    }

    /// <summary>The outcomes of a group, within <see cref="GroupOutputBytes"/>.</summary>
    public static IReadOnlyList<WorkerOutcome> Fit(IReadOnlyList<WorkerOutcome> group)
    {
        for (var longest = LegOutput.MaxReasonLength; SizeOf(group) > GroupOutputBytes && longest > 0; longest = longest * 3 / 4)
            group = [.. group.Select(worker => worker with { Reason = Cut(worker.Reason, longest) })];
        return group;
    }

    /// <summary>The ending, within <see cref="PayloadBytes"/>.</summary>
    public static RunEnding Fit(RunEnding ending)
    {
        for (var longest = LegOutput.MaxReasonLength; SizeOf(ending) > PayloadBytes && longest > 0; longest = longest * 3 / 4)
            ending = ending with { Workers = [.. ending.Workers.Select(worker => worker with { Reason = Cut(worker.Reason, longest) })] };
        return ending;
    }

    /// <summary>Bytes of a value as JSON.</summary>
    public static int SizeOf<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, ScaleOutJson.Compact).Length;

    /// <summary>Never in the middle of a character that takes two.</summary>
    private static string? Cut(string? reason, int longest)
    {
        if (reason is null || reason.Length <= longest)
            return reason;
        return longest > 0 && char.IsHighSurrogate(reason[longest - 1]) ? reason[..(longest - 1)] : reason[..longest];
    }
}
