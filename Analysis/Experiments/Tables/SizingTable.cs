using ScaleOut.Analysis.Sizing;
using ScaleOut.Analysis.Text;

namespace ScaleOut.Analysis.Experiments.Tables;

/// <summary>What some rates of inserts need by what was measured.</summary>
public static class SizingTable
{
    /// <summary>One table; none when there is nothing to size by.</summary>
    public static IReadOnlyList<TextTable> From(IReadOnlyList<SizingResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (results.Count == 0)
            return [];
        return [new TextTable("Sizing: what a rate of inserts needs",
            [
                new("Inserts/s"), new("RU/s to provision"), new("Physical partitions"), new("Worker instances"), new("95% interval"),
                new("Documents an hour"), Column.From("Beyond what was measured"),
            ],
            [.. results.Select(result => (IReadOnlyList<string>)
            [
                Numbers.Brief(result.Request.InsertsPerSecond),
                Numbers.Count(result.RequestUnitsPerSecond),
                Numbers.Count(result.PhysicalPartitions),
                result.Workers.Estimate is { } workers ? Numbers.Count(workers) : "not measured",
                IntervalOf(result.Workers),
                Numbers.Brief(result.DocumentsPerHour),
                result.Extrapolations.Count > 0 ? string.Join(" ", result.Extrapolations) : "no",
            ])],
            Note(results[0]))];
    }

    private static string Note(SizingResult result)
    {
        List<string> parts =
        [
            $"By {result.Source}, with {Numbers.Percent(result.Request.Headroom)} of the RU/s kept "
                + $"spare{(result.Simulated ? ", measured on the simulated account" : "")}."
        ];
        if (result.StopsHelpingAt is { } peak)
            parts.Add($"By the scalability law more than {Numbers.Brief(peak)} workers stop helping.");
        if (result.HighestRate is { } most)
            parts.Add($"No number of workers exceeds {Numbers.Brief(most)} a second.");
        if (result.Instance is { } instance)
            parts.Add($"A worker instance is what it was when it was measured: {instance}.");
        parts.AddRange(result.Notes);
        parts.Add("Other rates, and the cost by a price file: DevBox size --rate R --from report.json --prices prices.json.");
        return string.Join(' ', parts);
    }

    private static string IntervalOf(WorkerNeed need) =>
        !need.HasInterval || need.Low is not { } low ? Numbers.Unknown
            : need.High is { } high ? $"{Numbers.Count(low)} to {Numbers.Count(high)}" : $"{Numbers.Count(low)} and more";
}
