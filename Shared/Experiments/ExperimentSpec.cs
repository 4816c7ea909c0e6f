namespace ScaleOut.Experiments;

/// <summary>
/// Several runs and the question that they are made for: a base spec, variants that change it, repeats, and the findings to test; or a base
/// spec and the search for the highest rate that it holds.
/// </summary>
public sealed record ExperimentSpec
{
    /// <summary>Most runs of one experiment.</summary>
    public const int MostRuns = 1_000;

    /// <summary>Most variants of one experiment, and of one of its findings.</summary>
    public const int MostVariants = 100;

    /// <summary>Most <see cref="Repeats"/>.</summary>
    public const int MostRepeats = 100;

    /// <summary>Most <see cref="Findings"/>.</summary>
    public const int MostFindings = 100;

    /// <summary>Longest <see cref="Pause"/>.</summary>
    public static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(10);

    /// <summary>Seed of a spec that gives none.</summary>
    public const int DefaultSeed = 1;

    /// <summary>
    /// Experiment id, a run id of at most 30 characters: the ids of its runs are made from it. Null until the experiment is claimed.
    /// </summary>
    public string? Id { get; init; }

    /// <summary>Free text shown in the report, at most 200 characters.</summary>
    public string? Name { get; init; }

    /// <summary>What a reader must know: where published figures come from, which parameters were chosen and why.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>The spec of a run without its id, from which every variant starts.</summary>
    public JsonObject Base { get; init; } = [];

    /// <summary>1 to <see cref="MostVariants"/>.</summary>
    public IReadOnlyList<VariantSpec> Variants { get; init; } = [];

    /// <summary>
    /// Times that each variant is run, 1 to <see cref="MostRepeats"/>. Default 3. No more than <see cref="MostRuns"/> runs in all.
    /// </summary>
    public int Repeats { get; init; } = 3;

    /// <summary>
    /// Whether the repeats go round, all variants in each round, so that what drifts meets all variants alike; else each variant's repeats
    /// come together. Default true.
    /// </summary>
    public bool Interleaved { get; init; } = true;

    /// <summary>
    /// Seeds the order of the variants, which differs in each round so that no variant always follows the same one. Null keeps the order
    /// of the spec (A B C A B C), as earlier versions did; a spec that is read has <see cref="DefaultSeed"/>.
    /// </summary>
    public int? Seed { get; init; }

    /// <summary>Time between two runs, 0 to <see cref="LongestPause"/>. Default 0.</summary>
    public TimeSpan Pause { get; init; }

    /// <summary>
    /// Share of the documents and times that is run, above 0 to 1. Default 1. Figures of a scaled experiment are labelled.
    /// </summary>
    public double Scale { get; init; } = 1;

    public IReadOnlyList<FindingSpec> Findings { get; init; } = [];

    /// <summary>
    /// Looks for the highest rate that the base holds, in place of variants and findings. Null means an experiment with variants.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitSpec? Limit { get; init; }
}

/// <summary>One setting that an experiment measures.</summary>
public sealed record VariantSpec
{
    /// <summary>Unique within the experiment, 1 to 60 characters; findings call it by this name.</summary>
    public required string Name { get; init; }

    /// <summary>
    /// A partial spec that is laid over the experiment's base: objects are merged field by field, everything else replaces what is there,
    /// and null takes a field away.
    /// </summary>
    public JsonObject Change { get; init; } = [];

    /// <summary>What was published for these settings; null when nothing was.</summary>
    public PublishedFigures? Published { get; init; }

    /// <summary>Free text shown in the report, at most 1,000 characters.</summary>
    public string? Notes { get; init; }
}

/// <summary>What cannot be measured where every worker has a machine of its own.</summary>
public static class InstanceLimits
{
    /// <summary>Why a run cannot be measured there; null when it can. A function of the spec alone.</summary>
    public static string? WhyNotTestable(RunSpec spec)
    {
        var bound = Enumerable.Range(0, spec.Workers).Any(worker => spec.SettingsOf(worker).Cores is not null);
        return bound ? "it binds workers to cores, and an instance has the cores that its plan gives it" : null;
    }
}

/// <summary>A claim to test, as it stands in an experiment's spec.</summary>
public sealed record FindingSpec
{
    /// <summary>Unique name within the experiment. Null means the kind's name, such as <c>directBeatsGateway</c>.</summary>
    public string? Id { get; init; }

    public required FindingKind Kind { get; init; }

    /// <summary>
    /// Names of the variants that test it, the baseline first, in the order that <see cref="FindingKind"/> gives; ladders ascend.
    /// </summary>
    public IReadOnlyList<string> Variants { get; init; } = [];

    /// <summary>
    /// For claims of a gain the factor that must be exceeded, 1 to 1,000, default 1; for claims that something hardly matters, or is the
    /// same, the largest factor that counts as the same, above 1 to 2, default 1.0526; for a claim about latency its limit in ms, 1 to
    /// 1,000, default 10.
    /// </summary>
    public double? Threshold { get; init; }

    /// <summary>Null when nothing was published.</summary>
    public PublishedValue? Published { get; init; }
}

/// <summary>What somebody else measured, beside which a finding's own effect is shown. It never enters a verdict.</summary>
public sealed record PublishedValue
{
    /// <summary>The same ratio as the finding's effect, above 0.</summary>
    public required double Value { get; init; }

    /// <summary>Where it stands, such as <c>insert-1m.csv, tests 1 and 2</c>.</summary>
    public required string Source { get; init; }
}
