namespace ScaleOut.Analysis.Reports.Tables;

/// <summary>One row per step of the load.</summary>
internal static class StepTable
{
    /// <summary>One table, or none for a run without steps.</summary>
    public static IReadOnlyList<TextTable> From(RunReport report)
    {
        return report.Steps.Count == 0
            ? []
            :
            [
                new TextTable("Steps",
                    [
                        Column.From("Step"), Column.From("Load"), new("s"), new("Operations"), new("Per second"), new("Mean ms"),
                        new("p50 ms"), new("p99 ms"), new("Throttled"), new("RU per operation"), new("RU/s"), new("Requests per operation"),
                    ],
                    [.. report.Steps.Select(step => Row(step, report.Spec.Workers))],
                    "Operations count in the step in which they ended."),
            ];
    }

    private static IReadOnlyList<string> Row(StepReport step, int workers) =>
    [
        (step.Index + 1).ToString(CultureInfo.InvariantCulture),
        step.Users is { } users ? Words.Amount(users, "user")
            : step.Concurrency is { } concurrency ? $"{Numbers.Count(concurrency)} in flight per worker"
            : $"{Numbers.Brief(step.Rate * workers)}/s asked for ({Numbers.Brief(step.Rate)} per worker)",
        Numbers.Brief(step.Seconds),
        Numbers.Count(step.Operations),
        Numbers.Brief(step.PerSecond),
        Numbers.Brief(step.LatencyMs.Mean),
        Numbers.Brief(step.LatencyMs.P50),
        Numbers.Brief(step.LatencyMs.P99),
        Numbers.Count(step.Counts.Throttled),
        Numbers.Brief(step.RequestUnitsPerOperation),
        Numbers.Brief(step.RequestUnitsPerSecond),
        Numbers.Brief(step.CallsPerOperation),
    ];
}
