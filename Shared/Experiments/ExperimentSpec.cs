namespace ScaleOut.Experiments;

/// <summary>
/// Several runs and the question that they are made for: a base spec, variants that change it, repeats, and the findings to test; or a base
/// spec and the search for the highest rate that it holds.
/// </summary>
[SpecDocument(
    "Spec of an experiment",
    "Variants of a run, their repeats, and the findings to test. Rules that span several fields are checked when the spec is read.")]
public sealed record ExperimentSpec
{
    /// <summary>Most runs of one experiment.</summary>
    public const int MaxRuns = 1_000;

    /// <summary>Most variants of one experiment, and of one of its findings.</summary>
    public const int MaxVariants = 100;

    /// <summary>The ids of its runs are made from it. Null until the experiment is claimed.</summary>
    [SpecField("Experiment id, of which the ids of its runs are made; made from the time when left out.",
        Form = nameof(TextForm.ExperimentId))]
    public string? Id { get; init; }

    [SpecField("Free text for the report.", MaxLength = RunSpec.MaxNameLength)]
    public string? Name { get; init; }

    [SpecField("What a reader of the report must know, such as where published figures come from and which parameters were chosen.",
        MaxLength = 2_000, MaxItems = 50)]
    public IReadOnlyList<string> Notes { get; init; } = [];

    [SpecField("The spec from which every variant starts; the fields of a run without its id. What it leaves open the changes may give.",
        Partial = typeof(RunSpec))]
    public JsonObject Base { get; init; } = [];

    [SpecField("The settings that are measured; needed unless limit is given.", MinItems = 1, MaxItems = MaxVariants)]
    public IReadOnlyList<VariantSpec> Variants { get; init; } = [];

    [SpecField("Times that each variant is run; no more than {0} runs in all.", MaxRuns, Min = 1, Max = 100)]
    public int Repeats { get; init; } = 3;

    /// <summary>
    /// Whoever chooses the number of repeats after a look at a first experiment gives chance several goes; each verdict is charged for all.
    /// </summary>
    [SpecField(
        "Experiments on the same question, this one included: 3 for one with 3, 5 and 8 repeats that ends once something is decided. "
            + "Holm's correction counts each finding as often.",
        Min = 1, Max = 100)]
    public int Looks { get; init; } = 1;

    /// <summary>What drifts then meets all variants alike; else each variant's repeats come together.</summary>
    [SpecField("Whether the repeats go round, all variants in each round.")]
    public bool Interleaved { get; init; } = true;

    /// <summary>
    /// The order differs in each round, so that no variant always follows the same one. Null keeps the spec's order, for specs that are
    /// made in code.
    /// </summary>
    [SpecField("Seed of the order of the variants in each round.")]
    public int? Seed { get; init; } = 1;

    [SpecField("Time between two runs.", Min = 0, Max = 10 * 60)]
    public TimeSpan Pause { get; init; }

    /// <summary>Figures of a scaled experiment are labelled.</summary>
    [SpecField("Share of the documents and times that is run: 0.01 tries a spec in minutes.", Min = 0, AboveMin = true, Max = 1)]
    public double Scale { get; init; } = 1;

    [SpecField("The claims to test.", MaxItems = 100)]
    public IReadOnlyList<FindingSpec> Findings { get; init; } = [];

    [SpecField("Looks for the highest rate that the base holds, in place of variants and findings.")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public LimitSpec? Limit { get; init; }
}

/// <summary>One setting that an experiment measures.</summary>
public sealed record VariantSpec
{
    /// <summary>Unique within the experiment.</summary>
    [SpecField("What findings and the report call it.", Form = nameof(TextForm.VariantName))]
    public required string Name { get; init; }

    [SpecField("What differs from the base: objects are merged field by field, all else replaces, null takes a field away.",
        Partial = typeof(RunSpec))]
    public JsonObject Change { get; init; } = [];

    [SpecField("What was published for these settings, to be set beside what is measured.")]
    public PublishedFigures? Published { get; init; }

    [SpecField("Free text for the report.", MaxLength = 1_000)]
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
    [SpecField("Name of its own; the kind's name when left out.", Form = nameof(TextForm.FindingId))]
    public string? Id { get; init; }

    [SpecField("What is claimed; docs/findings.md has every kind with its variants.")]
    public required FindingKind Kind { get; init; }

    /// <summary>In the order that <see cref="FindingKind"/> gives.</summary>
    [SpecField("Names of the variants that test it, the baseline first; ladders ascend.",
        MaxLength = RunSpec.MaxNameLength, MaxItems = ExperimentSpec.MaxVariants, Unique = true)]
    public IReadOnlyList<string> Variants { get; init; } = [];

    /// <summary>1 for a gain, 1.0526 for sameness, 10 ms for latency when left out.</summary>
    [SpecField("For a claim of a gain the factor to exceed; for a claim of sameness the largest factor that counts as the same; for a "
        + "claim about latency its limit in ms. The kind's own when left out, see docs/findings.md.", Min = 1, Max = 1_000)]
    public double? Threshold { get; init; }

    [SpecField("What somebody else measured, shown beside the effect.")]
    public PublishedValue? Published { get; init; }
}

/// <summary>What somebody else measured, beside which a finding's own effect is shown. It never enters a verdict.</summary>
public sealed record PublishedValue
{
    [SpecField("The same ratio as the finding's effect.", Min = 0, AboveMin = true, Max = 1e9)]
    public required double Value { get; init; }

    [SpecField("Where it stands, such as 'insert-1m.csv, tests 1 and 2'.", MaxLength = RunSpec.MaxNameLength)]
    public required string Source { get; init; }
}
