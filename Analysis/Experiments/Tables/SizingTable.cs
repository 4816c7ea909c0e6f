using ScaleOut.Analysis.Sizing;
using ScaleOut.Analysis.Text;

namespace ScaleOut.Analysis.Experiments.Tables;

/// <summary>What some rates of inserts need by what was measured.</summary>
public static class SizingTable
{
    /// <summary>One table; none when there is nothing to size by.</summary>
    public static IReadOnlyList<TextTable> Of(IReadOnlyList<SizingAnswer> answers)
    {
        ArgumentNullException.ThrowIfNull(answers);
        if (answers.Count == 0)
            return [];
        return [new TextTable("Sizing: what a rate of inserts needs",
            [new("Inserts/s"), new("RU/s to provision"), new("Physical partitions"), new("Worker instances"), new("95% interval"), new("Documents an hour"), Column.Of("Beyond what was measured")],
            [.. answers.Select(answer => (IReadOnlyList<string>)
            [
                Numbers.Brief(answer.Request.InsertsPerSecond),
                Numbers.Count(answer.RequestUnitsPerSecond),
                Numbers.Count(answer.PhysicalPartitions),
                answer.Workers.Estimate is { } workers ? Numbers.Count(workers) : "more than help",
                IntervalOf(answer.Workers),
                Numbers.Brief(answer.DocumentsPerHour),
                answer.Extrapolations.Count > 0 ? string.Join(" ", answer.Extrapolations) : "no",
            ])],
            Note(answers[0]))];
    }

    private static string Note(SizingAnswer answer)
    {
        List<string> parts = [$"By {answer.Source}, with {Numbers.Percent(answer.Request.Headroom)} of the RU/s kept spare{(answer.Simulated ? ", measured on the simulated account" : "")}."];
        if (answer.StopsHelpingAt is { } peak)
            parts.Add($"By the scalability law more than {Numbers.Brief(peak)} workers stop helping.");
        if (answer.HighestRate is { } most)
            parts.Add($"No number of workers exceeds {Numbers.Brief(most)} a second.");
        parts.AddRange(answer.Notes);
        parts.Add("Other rates, and the cost by a price file: DevBox size --rate R --from report.json --prices prices.json.");
        return string.Join(' ', parts);
    }

    private static string IntervalOf(WorkerNeed need) =>
        !need.HasInterval || need.Low is not { } low ? Numbers.Unknown : need.High is { } high ? $"{Numbers.Count(low)} to {Numbers.Count(high)}" : $"{Numbers.Count(low)} and more";
}
