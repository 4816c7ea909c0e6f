using System.Text.Json.Nodes;
using ScaleOut.Findings;

namespace ScaleOut.Experiments;

/// <summary>Several runs and the question that they answer: a base plan, variants that change it, repeats, and the findings to test.</summary>
public sealed record ExperimentSpec
{
    /// <summary>Most runs of one experiment.</summary>
    public const int MostRuns = 1_000;

    /// <summary>Experiment id, a run id of at most 30 characters: the ids of its runs are made from it. Null until the experiment is claimed.</summary>
    public string? Id { get; init; }

    /// <summary>Free text shown in the report, at most 200 characters.</summary>
    public string? Name { get; init; }

    /// <summary>What a reader must know: where published figures come from, which parameters were chosen and why.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>A plan of a run without its id, from which every variant starts.</summary>
    public JsonObject Base { get; init; } = [];

    /// <summary>1 to 100.</summary>
    public IReadOnlyList<VariantSpec> Variants { get; init; } = [];

    /// <summary>Times that each variant is run, 1 to 100. Default 3. No more than 1,000 runs in all.</summary>
    public int Repeats { get; init; } = 3;

    /// <summary>Whether the repeats go round (A B C A B C), so that what drifts meets all variants alike; else each variant's repeats come together. Default true.</summary>
    public bool Interleaved { get; init; } = true;

    /// <summary>Time between two runs, 0 to 10 min. Default 0.</summary>
    public TimeSpan Pause { get; init; }

    /// <summary>Share of the documents and times that is run, above 0 to 1. Default 1. Figures of a scaled experiment are labelled.</summary>
    public double Scale { get; init; } = 1;

    public IReadOnlyList<FindingSpec> Findings { get; init; } = [];
}
