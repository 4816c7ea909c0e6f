namespace ScaleOut.Specs;

/// <summary>What single workers of a run do, where overrides give them mixes or RU/s of their own.</summary>
public static class WorkerWorkloads
{
    /// <summary>Whether workers have mixes of their own, so that the kind of an operation also depends on its worker.</summary>
    public static bool HasOwnMixes(this RunSpec spec) => spec.WorkerOverrides.Any(entry => entry?.Mix is not null);

    /// <summary>The effective workload of a worker. The last override for the worker that has a mix, or RU/s, wins.</summary>
    /// <param name="worker">Index of the worker, from 0.</param>
    public static WorkloadSpec WorkloadOf(this RunSpec spec, int worker)
    {
        var (mix, pace) = (spec.EntryOf(worker, entry => entry.Mix is not null)?.Mix, spec.OwnPaceOf(worker));
        return mix is null && pace is null
            ? spec.Workload
            // All workers divide the RU/s of a workload among themselves.
            : spec.Workload with { Mix = mix ?? spec.Workload.Mix, RequestUnitRate = pace * spec.Workers ?? spec.Workload.RequestUnitRate };
    }

    /// <summary>RU/s that a worker may use by an override for it; null without one.</summary>
    /// <param name="worker">Index of the worker, from 0.</param>
    public static double? OwnPaceOf(this RunSpec spec, int worker) =>
        spec.EntryOf(worker, entry => entry.RequestUnitRate is not null) is { } entry ? entry.RequestUnitRate / entry.Workers.Count : null;

    /// <summary>Whether the spec limits the RU/s of every worker.</summary>
    public static bool IsPaced(this RunSpec spec) =>
        Enumerable.Range(0, spec.Workers).All(worker => spec.Workload.IsPaced || spec.OwnPaceOf(worker) is not null);

    /// <summary>Whether the spec limits the RU/s of any worker.</summary>
    public static bool HasPace(this RunSpec spec) =>
        spec.Workload.IsPaced || spec.WorkerOverrides.Any(entry => entry.RequestUnitRate is not null);

    /// <summary>RU/s that all workers together may use; null without a limit for each, and if it depends on unknown RU/s.</summary>
    /// <param name="budgetPerSecond">RU/s of the container; null if they are not known.</param>
    public static double? PaceOf(this RunSpec spec, double? budgetPerSecond) => spec.Workload.PaceOf(budgetPerSecond)
        ?? (!spec.Workload.IsPaced && spec.IsPaced() ? Enumerable.Range(0, spec.Workers).Sum(spec.OwnPaceOf) : null);

    /// <summary>The spec as if all workers were like one of them.</summary>
    /// <param name="worker">Index of the worker, from 0.</param>
    public static RunSpec AsOf(this RunSpec spec, int worker) =>
        spec.WorkloadOf(worker) is var workload && workload == spec.Workload
            ? spec
            : spec with { Workload = workload, WorkerOverrides = [] };

    /// <summary>Number of documents that are written before the start, if the workload needs any.</summary>
    public static long PreloadOf(this RunSpec spec) => spec.HasOwnMixes()
        ? spec.Sum((pattern, numbers) => pattern.CountOf(numbers, WorkloadKinds.NeedsDocuments))
        : spec.Workload.PreloadOf(spec.Documents);

    /// <summary>By how much all operations change the container's count: writes minus deletes. Only for mixes and actions.</summary>
    public static long RiseOf(this RunSpec spec) => spec.HasOwnMixes()
        ? spec.Sum((pattern, numbers) => pattern.RiseOf(numbers))
        : spec.Workload.Action is { } steps
            ? spec.Documents * steps.Sum(kind => kind.Rise())
            : MixPattern.For(spec.Workload.Mix!).RiseOf(spec.Documents);

    /// <summary>A mean over the workers of what depends on their workloads, whose slices are alike.</summary>
    internal static double MeanOf(this RunSpec spec, Func<RunSpec, double> of) =>
        spec.HasOwnMixes() ? Enumerable.Range(0, spec.Workers).Average(worker => of(spec.AsOf(worker))) : of(spec);

    private static WorkerOverride? EntryOf(this RunSpec spec, int worker, Func<WorkerOverride, bool> has) =>
        spec.WorkerOverrides.LastOrDefault(entry => has(entry) && entry.Workers.Contains(worker));

    private static long Sum(this RunSpec spec, Func<MixPattern, long, long> upTo) =>
        Slices.Cut(spec.Documents, spec.Workers, unit: 1)
            .Select((slice, worker) => (slice, Pattern: MixPattern.For(spec.WorkloadOf(worker).Mix!)))
            .Sum(one => upTo(one.Pattern, one.slice.End) - upTo(one.Pattern, one.slice.First));
}
