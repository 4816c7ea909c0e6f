namespace ScaleOut.Analysis.Experiments.Tables;

/// <summary>The tables of an experiment's report, for every form that people read.</summary>
internal static class ExperimentTables
{
    /// <summary>All of them, in the order in which a reader asks.</summary>
    public static IReadOnlyList<TextTable> From(ExperimentReport report)
    {
        return
        [
            VariantTable.From(report),
            .. PublishedTables.From(report),
            Runs(report),
            .. NotTested(report),
            Settings(report),
        ];
    }

    /// <summary>What bound each run.</summary>
    public static TextTable Runs(ExperimentReport report)
    {
        return new("What bound each run",
            [
                Column.From("Variant"), new("Repeat"), Column.From("State"), new("Per second"), Column.From("Bound by"), new("RU/s used"),
                new("Busiest worker"), new("Machine"), new("Throttled"), Column.From("Run"),
            ],
            [.. report.Variants.SelectMany(variant => variant.Runs.Select(run => (IReadOnlyList<string>)
            [
                variant.Name,
                run.Repeat.ToString(CultureInfo.InvariantCulture),
                run.State?.ToString().ToLowerInvariant() ?? "not run",
                Numbers.Brief(run.Figures?.Rate),
                run.Figures?.BoundBy is { } bound ? Words.From(bound) : Numbers.Unknown,
                Numbers.Percent(run.Utilization?.RequestUnits),
                Sentences.Shares(run.Utilization?.Client, run.Utilization?.ClientMax),
                Sentences.Shares(run.Utilization?.Machine, run.Utilization?.MachineMax),
                Numbers.Count(run.Requests?.Throttled),
                run.RunId,
            ]))],
            "The busiest worker's share is of its own cores, the machine's of all cores, whoever used them; at most is "
                + "their busiest second. Each run has a report of its own in its folder.");
    }

    private static IReadOnlyList<TextTable> NotTested(ExperimentReport report) => report.NotTested.Count == 0
        ? []
        : [
            new TextTable(
                "What was not tested, and why", [Column.From("What"), Column.From("Why")],
                [.. report.NotTested.Select(item => (IReadOnlyList<string>)[item.What, item.Why])])
        ];

    private static string Rounds(ExperimentSpec spec) => spec.Seed is { } seed
        ? $"in rounds of all variants, each round in a random order of its own (seed {Numbers.Count(seed)})"
        : "in rounds: all variants once, then again";

    private static TextTable Settings(ExperimentReport report)
    {
        var spec = report.Spec;
        return new("Settings", [Column.From("Setting"), Column.From("Value")],
        [
            ["Repeats", Numbers.Count(spec.Repeats)],
            ["Order", spec.Interleaved ? Rounds(spec) : "each variant's repeats together"],
            ["Pause between runs", Numbers.Duration(spec.Pause)],
            ["Scale", spec.Scale.ToString("0.######", CultureInfo.InvariantCulture)],
            ["Started", Numbers.Instant(report.StartedAt)],
            ["Finished", Numbers.Instant(report.FinishedAt)],
            ["Base", spec.Base.ToJsonString()],
            .. spec.Variants.Select(variant => (IReadOnlyList<string>)[$"Change of {variant.Name}", variant.Change.ToJsonString()]),
        ]);
    }
}
