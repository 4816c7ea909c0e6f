namespace ScaleOut.Experiments;

/// <summary>
/// Several runs that are made to decide one question. An experiment is either a base spec with variants that change it, repeats and the
/// findings to test, or a base spec and the search for the highest rate that it holds.
/// </summary>
[SpecDocument(
    "Spec of an experiment",
    "Variants of a run, their repeats, and the findings to test. Rules that span several fields are checked when the spec is read.")]
public sealed record ExperimentSpec
{
    /// <summary>Maximum number of runs of one experiment.</summary>
    public const int MaxRuns = 1_000;

    /// <summary>Maximum number of variants of one experiment, and of one finding.</summary>
    public const int MaxVariants = 100;

    /// <summary>The ids of the runs are made from this id. It may be null until the experiment is claimed.</summary>
    [SpecField("Experiment id, of which the ids of its runs are made; made from the time when left out.",
        Form = FormName.ExperimentId)]
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
    /// Choosing the number of repeats after a look at earlier results gives a chance finding several tries. The correction of the verdicts
    /// counts all of them.
    /// </summary>
    [SpecField(
        "Experiments on the same question, this one included: 3 for one with 3, 5 and 8 repeats that ends once something is decided. "
            + "Holm's correction counts each finding as often.",
        Min = 1, Max = 100)]
    [JsonPropertyName("looks")]
    public int InterimAnalyses { get; init; } = 1;

    /// <summary>If true, a drift of the account affects all variants alike. If false, each variant's repeats follow each other.</summary>
    [SpecField("Whether the repeats go round, all variants in each round.")]
    public bool Interleaved { get; init; } = true;

    /// <summary>
    /// With a seed, the order differs in each round, so that each variant follows each other one equally often. Null keeps the spec's
    /// order, for specs that are made in code.
    /// </summary>
    [SpecField("Seed of the order of the variants in each round.")]
    public int? Seed { get; init; } = 1;

    [SpecField("Time between two runs.", Min = 0, Max = 10 * 60)]
    public TimeSpan Pause { get; init; }

    /// <summary>Reports label the figures of a scaled experiment.</summary>
    [SpecField("Share of the documents and times that is run, to try a spec in less time; 'devbox plans' lists the smallest of each plan.",
        Min = 1e-6, Max = 1)]
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
    [SpecField("What findings and the report call it.", Form = FormName.VariantName)]
    public required string Name { get; init; }

    [SpecField("What differs from the base: objects are merged field by field, all else replaces, null takes a field away.",
        Partial = typeof(RunSpec))]
    public JsonObject Change { get; init; } = [];

    [SpecField("What was published for these settings, to be set beside what is measured.")]
    public PublishedFigures? Published { get; init; }

    [SpecField("Free text for the report.", MaxLength = 1_000)]
    public string? Notes { get; init; }
}

/// <summary>Limits of hosts where every worker has a machine of its own.</summary>
public static class InstanceLimits
{
    /// <summary>Why a run cannot be measured on such a host; null if it can.</summary>
    public static string? WhyNotTestable(RunSpec spec)
    {
        var bound = Enumerable.Range(0, spec.Workers).Any(worker => spec.SettingsOf(worker).Cores is not null);
        return bound ? "it binds workers to cores, and an instance has the cores that its plan gives it" : null;
    }
}

/// <summary>A claim that an experiment tests.</summary>
public sealed record FindingSpec
{
    [SpecField("Name of its own; the kind's name when left out.", Form = FormName.FindingId)]
    public string? Id { get; init; }

    [SpecField("What is claimed; docs/findings.md has every kind with its variants.")]
    public required FindingKind Kind { get; init; }

    /// <summary>Must be in the order that <see cref="FindingKind"/> documents for the kind.</summary>
    [SpecField("Names of the variants that test it, the baseline first; ladders ascend.",
        MaxLength = RunSpec.MaxNameLength, MaxItems = ExperimentSpec.MaxVariants, Unique = true)]
    public IReadOnlyList<string> Variants { get; init; } = [];

    /// <summary>Defaults: 1 for a gain, 1.0526 for sameness, 10 ms for latency, 0.5 for waits.</summary>
    [SpecField("For a claim of a gain the factor to exceed; for a claim of sameness the largest factor that counts as the same; for a "
        + "claim about latency its limit in ms; for a claim about waits the share to exceed. The kind's own when left out, see "
        + "docs/findings.md.", Min = 1e-6, Max = 1_000)]
    public double? Threshold { get; init; }

    [SpecField("What somebody else measured, shown beside the effect.")]
    public PublishedValue? Published { get; init; }
}

/// <summary>A figure that somebody else measured. Reports show it beside a finding's own effect; no verdict depends on it.</summary>
public sealed record PublishedValue
{
    [SpecField("The same ratio as the finding's effect.", Min = 1e-6, Max = 1e9)]
    public required double Value { get; init; }

    [SpecField("Where it stands, such as 'insert-1m.csv, tests 1 and 2'.", MaxLength = RunSpec.MaxNameLength)]
    public required string Source { get; init; }
}

/// <summary>Published figures for a variant's settings, shown beside the measured ones. Unpublished figures are null.</summary>
public sealed record PublishedFigures
{
    private const double MinFigure = 1e-6;
    private const double MaxFigure = 1e12;

    [SpecField("Documents, rows or requests per second.", Min = MinFigure, Max = MaxFigure)]
    public double? PerSecond { get; init; }

    [SpecField("Elapsed seconds; they give the rate where perSecond is left out.", Min = MinFigure, Max = MaxFigure)]
    public double? Seconds { get; init; }

    [SpecField("Documents that the seconds were taken for; the spec's when left out.", Min = 1, Max = RunSpec.MaxDocuments)]
    public long? Documents { get; init; }

    [SpecField("Mean latency of an operation.", Min = MinFigure, Max = MaxFigure)]
    public double? LatencyMeanMs { get; init; }

    [SpecField("96th percentile of an operation's latency.", Min = MinFigure, Max = MaxFigure)]
    public double? LatencyP96Ms { get; init; }

    [SpecField("TransactionalBatches per second.", Min = MinFigure, Max = MaxFigure)]
    public double? BatchesPerSecond { get; init; }

    [SpecField("Documents' JSON per second, in 1,000 bytes.", Min = MinFigure, Max = MaxFigure)]
    public double? KilobytesPerSecond { get; init; }

    [SpecField("RU of an operation.", Min = MinFigure, Max = MaxFigure)]
    public double? RequestUnitsPerOperation { get; init; }

    [SpecField("Requests that the client sent for one operation, such as the pages of a query.",
        Min = MinFigure, Max = MaxFigure)]
    public double? CallsPerOperation { get; init; }

    [SpecField("Requests that got a 429.", Min = 0, Max = MaxFigure)]
    public long? Throttled { get; init; }

    [SpecField("What was written beside the figures, or in place of them.", MaxLength = 400)]
    public string? Outcome { get; init; }

    /// <summary>The published rate, or the documents over the published elapsed time; null if neither was published.</summary>
    /// <param name="documents">Documents of the variant's spec at full size.</param>
    public double? RateFor(long documents) => PerSecond ?? (Seconds > 0 ? (Documents ?? documents) / Seconds : null);
}

/// <summary>Merges a partial spec into another one (JSON Merge Patch, RFC 7396).</summary>
public static class PlanMerge
{
    /// <summary>Merges objects field by field. Other values replace the spec's, and null removes a field.</summary>
    public static JsonObject From(JsonObject spec, JsonObject change)
    {
        var merged = spec.DeepClone().AsObject();
        foreach (var (name, value) in change)
        {
            if (value is null)
                merged.Remove(name);
            else if (value is JsonObject inner)
                merged[name] = From(merged[name] as JsonObject ?? [], inner);
            else
                merged[name] = value.DeepClone();
        }

        return merged;
    }
}
