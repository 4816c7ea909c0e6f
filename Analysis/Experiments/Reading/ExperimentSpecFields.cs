namespace ScaleOut.Analysis.Experiments.Reading;

/// <summary>
/// The fields of an <see cref="ExperimentSpec"/>: their names, types and ranges. What spans several fields is in
/// <see cref="ExperimentSpecRules"/>.
/// </summary>
internal static class ExperimentSpecFields
{
    private static readonly TextForm Id = new(
        "an experiment id such as \"ladder-1\" (a-z, 0-9 and '-', at most 30 characters, no '-' in front)",
        "^[a-z0-9][a-z0-9-]{0,29}$", 30);

    private static readonly TextForm VariantName = new(
        "a name of 1 to 60 characters without a space at either end", @"^[^\s\u0000-\u001F]([^\u0000-\u001F]*[^\s\u0000-\u001F])?$", 60);

    private static readonly ExperimentSpec Defaults = new();

    /// <summary>Base and changes are read for their errors alone; as JSON they are taken from the spec itself.</summary>
    public static ExperimentSpec Read(ISpecObject experiment)
    {
        experiment.Field("$schema", "Where an editor finds the schema of this file; means nothing to an experiment.")
            .Text(TextForm.Free(2_000));
        var id = experiment.Field("id", "Experiment id, of which the ids of its runs are made; made from the time when left out.").Text(Id);
        var name = experiment.Field("name", "Free text for the report.").Text(TextForm.Free(200));
        var notes = experiment.Field(
            "notes", "What a reader of the report must know, such as where published figures come from and which parameters were chosen.")
            .List(item => item.Text(TextForm.Free(2_000))!, 0, 50);
        experiment.Field(
            "base",
            "The spec from which every variant starts; the fields of a run without its id. What it leaves open the changes may give.")
            .Nested(RunSpecFields.Read, partial: true);
        return new ExperimentSpec
        {
            Id = id,
            Name = name,
            Notes = notes ?? Defaults.Notes,
            Variants = experiment.Field("variants", "The settings that are measured; needed unless limit is given.")
                .List(item => item.Nested(Variant)!, 1, ExperimentSpec.MostVariants)
                ?? [],
            Repeats = experiment.Field("repeats", $"Times that each variant is run; no more than {ExperimentSpec.MostRuns} runs in all.")
                .WholeInt(1, ExperimentSpec.MostRepeats) ?? Defaults.Repeats,
            Interleaved = experiment.Field("interleaved", "Whether the repeats go round, all variants in each round.")
                .Flag() ?? Defaults.Interleaved,
            Seed = experiment.Field("seed", $"Seed of the order of the variants in each round; {ExperimentSpec.DefaultSeed} when left out.")
                .WholeInt(int.MinValue, int.MaxValue) ?? ExperimentSpec.DefaultSeed,
            Pause = experiment.Field("pause", "Time between two runs.")
                .Duration(TimeSpan.Zero, ExperimentSpec.LongestPause) ?? Defaults.Pause,
            Scale = experiment.Field("scale", "Share of the documents and times that is run: 0.01 tries a spec in minutes.")
                .Number(0, 1, aboveMinimum: true) ?? Defaults.Scale,
            Findings = experiment.Field("findings", "The claims to test.")
                .List(item => item.Nested(FindingSpecFields.Read)!, 0, ExperimentSpec.MostFindings)
                ?? Defaults.Findings,
            Limit = experiment.Field("limit", "Looks for the highest rate that the base holds, in place of variants and findings.")
                .Nested(LimitSpecFields.Read),
        };
    }

    private static VariantSpec Variant(ISpecObject variant)
    {
        var name = variant.Required("name", "What findings and the report call it.").Text(VariantName);
        variant.Field(
            "change",
            "What differs from the base: objects are merged field by field, all else replaces, null takes a field away.")
            .Nested(RunSpecFields.Read, partial: true);
        return new VariantSpec
        {
            Name = name ?? "",
            Published = variant.Field("published", "What was published for these settings, to be set beside what is measured.")
                .Nested(Published),
            Notes = variant.Field("notes", "Free text for the report.").Text(TextForm.Free(1_000)),
        };
    }

    private static PublishedFigures Published(ISpecObject published) => new()
    {
        PerSecond = Figure(published, "perSecond", "Documents, rows or requests per second."),
        Seconds = Figure(published, "seconds", "Elapsed seconds; they give the rate where perSecond is left out."),
        Documents = published.Field("documents", "Documents that the seconds were taken for; the spec's when left out.")
            .Whole(1, RunSpec.MostDocuments),
        LatencyMeanMs = Figure(published, "latencyMeanMs", "Mean latency of an operation."),
        LatencyP96Ms = Figure(published, "latencyP96Ms", "96th percentile of an operation's latency."),
        BatchesPerSecond = Figure(published, "batchesPerSecond", "TransactionalBatches per second."),
        KilobytesPerSecond = Figure(published, "kilobytesPerSecond", "Documents' JSON per second, in 1,000 bytes."),
        RequestUnitsPerOperation = Figure(published, "requestUnitsPerOperation", "RU of an operation."),
        CallsPerOperation = Figure(published, "callsPerOperation", "Requests that the client sent for one operation."),
        Throttled = published.Field("throttled", "Requests that got a 429.").Whole(0, 1_000_000_000_000),
        Outcome = published.Field("outcome", "What was written beside the figures, or in place of them.").Text(TextForm.Free(400)),
    };

    private static double? Figure(ISpecObject published, string name, string about) =>
        published.Field(name, about).Number(0, 1e12, aboveMinimum: true);
}

/// <summary>
/// The fields of a <see cref="FindingSpec"/>, for reading specs and for their JSON schema. Rules across fields are in
/// <see cref="FindingRules"/>.
/// </summary>
internal static class FindingSpecFields
{
    private const double LargestRatio = 1e9;

    private static readonly TextForm FindingId = new(
        "a finding's id such as \"direct-2\" (letters, digits and '-', at most 40 characters)", "^[A-Za-z0-9][A-Za-z0-9-]{0,39}$", 40);

    public static FindingSpec Read(ISpecObject finding) => new()
    {
        Id = finding.Field("id", "Name of its own; the kind's name when left out.").Text(FindingId),
        Kind = finding.Required("kind", "What is claimed; docs/findings.md has every kind with its variants.").Choice<FindingKind>()
            ?? default,
        Variants = finding.Field("variants", "Names of the variants that test it, the baseline first; ladders ascend.")
            .List(item => item.Text(TextForm.Free(RunSpec.LongestName)) ?? "", 0, ExperimentSpec.MostVariants, unique: true) ?? [],
        Threshold = finding.Field(
            "threshold",
            "For a claim of a gain the factor to exceed; for a claim of sameness the largest factor that counts as the same; for a claim "
                + "about latency its limit in ms. The kind's own when left out, see docs/findings.md.")
            .Number(1, 1_000),
        Published = finding.Field("published", "What somebody else measured, shown beside the effect.").Nested(Published),
    };

    private static PublishedValue Published(ISpecObject published) => new()
    {
        Value = published.Required("value", "The same ratio as the finding's effect.").Number(0, LargestRatio, aboveMinimum: true) ?? 1,
        Source = published.Required("source", "Where it stands, such as 'insert-1m.csv, tests 1 and 2'.")
            .Text(TextForm.Free(RunSpec.LongestName)) ?? "",
    };
}
