namespace ScaleOut.Orchestration;

/// <summary>
/// Keeps payloads below the limits of durable engines. Only the texts of reasons are shortened. Sizes are bytes of JSON by
/// <see cref="ScaleOutJson.Compact"/>.
/// </summary>
internal static class PayloadLimits
{
    /// <summary>
    /// Limit of any input or output of an orchestration or activity: 1 MiB, less an eighth for the engine's own envelope.
    /// </summary>
    public const int PayloadBytes = (1 << 20) * 7 / 8;

    /// <summary>Limit of a custom status: half of the 16 KB that Durable Functions accepts.</summary>
    public const int StatusBytes = 8 * 1024;

    /// <summary>
    /// Limit of a workload and its documents in the input of a leg. A worker's history holds that input <see
    /// cref="WorkerOrchestrator.LegsPerTurn"/> times.
    /// </summary>
    public const int LegSpecBytes = 2 * 1024;

    /// <summary>
    /// Limit of a group's output. The history of a run holds it twice: as the result of the group, and in the input of the report. With
    /// 1,000 workers the history stays below 1 MiB.
    /// </summary>
    public const int GroupOutputBytes = 20 * 1024;

    /// <summary>Cuts a status to <see cref="StatusBytes"/>.</summary>
    public static RunStatus Fit(RunStatus status) =>
        Fit(status, StatusBytes, (all, longest) => all with
        {
            Reasons = [.. all.Reasons.Select(reason => ShortText.From(reason, longest))],
        });

    public static IReadOnlyList<WorkerOutcome> Fit(IReadOnlyList<WorkerOutcome> group) => Fit(group, GroupOutputBytes, Cut);

    /// <summary>Cuts an ending to <see cref="PayloadBytes"/>.</summary>
    public static RunEnding Fit(RunEnding ending) =>
        Fit(ending, PayloadBytes, (all, longest) => all with { Workers = Cut(all.Workers, longest) });

    public static int SizeOf<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, ScaleOutJson.Compact).Length;

    private static T Fit<T>(T value, int bytes, Func<T, int, T> cut)
    {
        for (var longest = LegOutput.MaxReasonLength; SizeOf(value) > bytes && longest > 0; longest = longest * 3 / 4)
            value = cut(value, longest);
        return value;
    }

    private static IReadOnlyList<WorkerOutcome> Cut(IReadOnlyList<WorkerOutcome> workers, int longest) =>
    [
        .. workers.Select(worker => worker.Reason is { } reason ? worker with { Reason = ShortText.From(reason, longest) } : worker),
    ];
}
