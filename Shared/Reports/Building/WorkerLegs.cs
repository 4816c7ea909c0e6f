using ScaleOut.Measurement;
using ScaleOut.Slicing;
using ScaleOut.Specs;

namespace ScaleOut.Reports.Building;

/// <summary>One worker with all that its legs left; there may be none.</summary>
internal sealed class WorkerLegs(int index, Slice slice, ClientSettings settings, IReadOnlyList<LegResult> legs)
{
    public int Index { get; } = index;

    public Slice Slice { get; } = slice;

    public ClientSettings Settings { get; } = settings;

    /// <summary>In their order.</summary>
    public IReadOnlyList<LegResult> Legs { get; } = legs;

    /// <summary>
    /// When it was at work, in order of time, in which a leg that was repeated comes after later ones. A leg that ended before its first
    /// document was not at work.
    /// </summary>
    public IReadOnlyList<WorkSpan> Spans { get; } =
    [
        .. legs.Where(leg => leg.EndedAt > leg.StartedAt).Select(leg => new WorkSpan(leg.StartedAt, leg.EndedAt)).OrderBy(span => span.Start),
    ];

    public long Inserted { get; } = legs.Sum(leg => leg.Output.Inserted);

    /// <summary>When it was first at work; null when it never was.</summary>
    public DateTimeOffset? Start => Spans.Count > 0 ? Spans[0].Start : null;

    /// <summary>When it was last at work; null when it never was.</summary>
    public DateTimeOffset? End => Spans.Count > 0 ? Spans.Max(span => span.End) : null;

    /// <summary>All workers of a run, by index.</summary>
    public static IReadOnlyList<WorkerLegs> Of(RunSpec spec, IEnumerable<LegResult> results)
    {
        var byWorker = results.ToLookup(result => result.Output.Worker);
        return [.. Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation)
            .Select((slice, worker) => new WorkerLegs(worker, slice, spec.SettingsOf(worker), [.. byWorker[worker].OrderBy(leg => leg.Output.Leg)]))];
    }
}
