using System.Text.RegularExpressions;

namespace ScaleOut.Tests.Structure;

/// <summary>A concept with the types that it has in the code.</summary>
/// <param name="Max">Largest number of <paramref name="Types"/> and <see cref="Parts"/>. It only goes down.</param>
/// <param name="Names">Names of types that belong to the concept, unless they are among <see cref="Others"/>.</param>
internal sealed record Concept(string Name, int Max, Regex Names, string[] Types)
{
    /// <summary>Sections of a stored item or message, which only the type that contains them makes.</summary>
    public string[] Parts { get; init; } = [];

    /// <summary>Types with such a name that mean something else.</summary>
    public string[] Others { get; init; } = [];

    public IEnumerable<string> Listed => [.. Types, .. Parts, .. Others];
}

/// <summary>Concepts that tend to get one more type with each feature.</summary>
internal static class Concepts
{
    /// <summary>How many types may declare a figure that <see cref="Counts"/> has.</summary>
    public const int MaxDeclarations = 7;

    public static readonly IReadOnlyList<Concept> All =
    [
        // Neither parts nor others: whatever its name says of how a run or a search went is counted.
        new("how a run went", Max: 18,
            new("^(Run|Limit|Variant|Merged|Measured|Kept)([A-Za-z]*(Report|Digest|Figures|Result|Outcome|Totals|Ending|Ended|Status|Facts"
                + "|Rates|Times|Drift|Step)|Run|Variant)$|^(Finding|Orchestration)(Case|Status)$"),
            [
                // Everything; what it is built from; and what the console adds, such as the comparison with the ledger.
                "RunReport", "MergedRun", "RunResult",
                // What experiments keep of a run, and what findings and searches read.
                "RunDigest", "RunFigures", "MeasuredRun", "MeasuredVariant", "VariantReport", "FindingCase",
                // A search for a limit, its steps, and what it keeps of their runs.
                "LimitReport", "LimitStep", "LimitRunDigest",
                // While it runs, and after: what its orchestration publishes, and its host shows.
                "RunStatus",
                // What its orchestration returns; its states are stored as ending.json and ended.json, and named by KeptEnding.
                "RunOutcome", "RunTotals", "RunEnding", "RunEnded", "KeptEnding",
            ]),
        new("a worker's state", Max: 7, new("^Worker"),
            [
                "WorkerState", "WorkerStatus", "WorkerTally", // what it is doing; with its figures; and what these are counted with
                "WorkerProgress", "WorkerOutcome", // what it sends, and what its orchestration returns
                "WorkerReport",
            ])
        {
            Parts = ["WorkerTotals"], // of LegInput and WorkerProgress
            Others =
            [
                "WorkerAssignment", "WorkerGroup", "WorkerOverride", // what it is to do
                "WorkerLegs", // the results of its legs
                "WorkerBands", // of a chart
                "WorkerHandshake", "WorkerMessage", "WorkerOutput", "WorkerPool", "WorkerProcess", // processes
            ],
        },
        new("ranges and stretches", Max: 7, new("(Ranges?|Slice|Spans?|Stretch|Interruption|Timeline|Bins|Numbers|(Number|Second)Set)$"),
            ["NumberRange", "NumberSet", "SliceNumbers", "TimeRange", "Interruption", "ReportTimeline"])
        {
            Parts = ["LegRange"], // of LegResult
            Others =
            [
                "HierarchicalRange", "PartitionRange", "PartitionRanges", // of partition keys
                "TextRange", // of the bytes of a request
                "LegNumbers", // reads what a leg is given
            ],
        },
    ];
}
