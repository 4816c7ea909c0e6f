
namespace ScaleOut.DevBox.Display;

/// <summary>What the console says of a search for a limit, while it goes on and at its end.</summary>
internal static class LimitLines
{
    private const int ShownWarnings = 5;

    /// <summary>What a search is about to do.</summary>
    public static string Heading(ExperimentSpec spec, LimitSpec limit, string account) =>
        $"limit {spec.Id}: from {Rate(limit.FirstRate)}/s, runs of {Numbers.Duration(limit.StepDuration)}, {account}; a rate holds when "
        + LimitCondition.From(limit).Text;

    /// <summary>What the last run said, and which one follows; nothing for experiments of another kind.</summary>
    public static IEnumerable<string> Progress(ExperimentStatus status)
    {
        if (status.Bracket is null)
            yield break;
        if (status.Measured is { } measured && status.Phase != ExperimentPhase.Ended)
        {
            var verdict = measured.Held switch
            {
                true => "holds",
                false => $"fails: {measured.Reason}",
                _ => $"not known: {measured.Reason}",
            };
            yield return $"    {Rate(measured.Rate!.Value)}/s {verdict}{Between(status.Bracket)}";
        }

        if (status is { Phase: ExperimentPhase.Running, RunId: { } runId })
            yield return $"[{status.Ended + 1}] {status.Variant}, repeat {status.Repeat}  ({runId})";
    }

    /// <summary>The summary's lines.</summary>
    /// <param name="page">Path of the report for people.</param>
    public static IEnumerable<string> Summary(LimitReport report, string page)
    {
        yield return "";
        var table = LimitReportTexts.Steps(report);
        // Console lines hold the figures that decide; the report has all columns.
        int[] columns = [0, 1, 2, 3, 4, 6, 7, 10];
        var rows = new List<IReadOnlyList<string>> { columns.Select(column => table.Columns[column].Title).ToList() };
        rows.AddRange(table.Rows.Select(row => columns.Select(column => row[column]).ToList()));
        var widths = columns.Select((_, i) => rows.Max(row => row[i].Length)).ToList();
        foreach (var row in rows)
        {
            var cells = row.Select((cell, i) => table.Columns[columns[i]].IsNumber ? cell.PadLeft(widths[i]) : cell.PadRight(widths[i]));
            yield return $"  {string.Join("  ", cells)}".TrimEnd();
        }

        foreach (var warning in report.Warnings.Take(ShownWarnings))
            yield return $"  note: {warning}";
        yield return $"  {"report",-14} {page}";
        var result = LimitSentences.Result(report);
        yield return $"{(report.Simulated ? "Simulated: " : "")}{result[0]}";
        foreach (var sentence in result.Skip(1))
            yield return sentence;
    }

    private static string Between(LimitBracket? bracket) => bracket switch
    {
        { Low: { } low, High: { } high } => $"; the limit is between {Rate(low)} and {Rate(high)}/s",
        { Low: { } low } => $"; the limit is above {Rate(low)}/s",
        { High: { } high } => $"; the limit is below {Rate(high)}/s",
        _ => "",
    };

    private static string Rate(double rate) => rate.ToString("#,0.###", System.Globalization.CultureInfo.InvariantCulture);
}
