namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>Workers, or bands of neighbouring workers when there are too many to distinguish their colours.</summary>
/// <param name="Name">Such as <c>worker 3</c> or <c>workers 0-7</c>.</param>
/// <param name="Colour">Name of a colour.</param>
/// <param name="PerSecond">Documents inserted by all of them in each entry of the report's series.</param>
internal sealed record WorkerBands(string Name, string Colour, IReadOnlyList<double> PerSecond)
{
    /// <summary>Colours that can be distinguished.</summary>
    public const int MaxBands = 8;

    /// <summary>Largest ratio of the rates of two workers, or of the means of two bands, at which they count as alike.</summary>
    private const double MaxAlike = 1.1;

    /// <summary>Whether workers have the same settings and about the same rate, so that a stack of them would show nothing.</summary>
    public static bool AreAlike(RunReport report)
    {
        if (report.Spec.WorkerOverrides.Count > 0)
            return false;
        var rates = SharedRows.Of(report.Workers, MaxBands)
            .Select(members => members.Average(worker => worker.Throughput.Rate ?? 0)).ToList();
        return rates.Count > 0 && rates.Max() <= MaxAlike * rates.Min();
    }

    public static IReadOnlyList<WorkerBands> From(IReadOnlyList<WorkerReport> workers, int entries)
    {
        var each = workers.Count <= MaxBands;
        return [.. SharedRows.Of(workers, MaxBands).Select((members, band) =>
        {
            var first = members[0].Index;
            double[] perSecond = [.. Enumerable.Range(0, entries).Select(i => (double)members.Sum(member => member.PerSecond[i]))];
            return new WorkerBands(
                members.Count == 1 ? $"worker {first}" : $"workers {first}-{first + members.Count - 1}",
                $"{(each ? 's' : 'q')}{band}",
                perSecond);
        })];
    }
}
