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

    /// <summary>In order of time, in which a leg that was repeated comes after later ones.</summary>
    public IReadOnlyList<WorkSpan> Spans { get; } =
        [.. legs.Select(leg => new WorkSpan(leg.StartedAt, leg.EndedAt)).OrderBy(span => span.Start)];

    public long Inserted { get; } = legs.Sum(leg => leg.Output.Inserted);

    /// <summary>Earliest start of its legs; null without legs.</summary>
    public DateTimeOffset? Start => Spans.Count > 0 ? Spans[0].Start : null;

    /// <summary>Latest end of its legs; null without legs.</summary>
    public DateTimeOffset? End => Legs.Count > 0 ? Legs.Max(leg => leg.EndedAt) : null;

    /// <summary>All workers of a run, by index.</summary>
    public static IReadOnlyList<WorkerLegs> Of(RunSpec spec, IEnumerable<LegResult> results)
    {
        var byWorker = results.ToLookup(result => result.Output.Worker);
        return [.. Slices.Cut(spec.Documents, spec.Workers, spec.Workload.DocumentsPerOperation)
            .Select((slice, worker) => new WorkerLegs(worker, slice, spec.SettingsOf(worker), [.. byWorker[worker].OrderBy(leg => leg.Output.Leg)]))];
    }
}
