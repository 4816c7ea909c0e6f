using ScaleOut.Findings;
using ScaleOut.Specs;
using ScaleOut.Specs.Reading;

namespace ScaleOut.Experiments.Reading;

/// <summary>The fields of an <see cref="ExperimentSpec"/>: their names, types and ranges. What spans several fields is in <see cref="ExperimentSpecRules"/>.</summary>
internal static class ExperimentSpecFields
{
    public const int MostVariants = 100;

    private const int MostRepeats = 100;

    private const int MostFindings = 100;

    private static readonly TextForm Id = new(
        "an experiment id such as \"ladder-1\" (a-z, 0-9 and '-', at most 30 characters, no '-' in front)", "^[a-z0-9][a-z0-9-]{0,29}$", 30);

    private static readonly TextForm VariantName = new(
        "a name of 1 to 60 characters without a space at either end", @"^[^\s\u0000-\u001F]([^\u0000-\u001F]*[^\s\u0000-\u001F])?$", 60);

    private static readonly ExperimentSpec Defaults = new();

    /// <summary>Base and changes are read for their faults alone; as JSON they are taken from the plan itself.</summary>
    public static ExperimentSpec Read(ISpecObject experiment)
    {
        experiment.Field("$schema", "Where an editor finds the schema of this file; means nothing to an experiment.").Text(TextForm.Free(2_000));
        var id = experiment.Field("id", "Experiment id, of which the ids of its runs are made; made from the time when left out.").Text(Id);
        var name = experiment.Field("name", "Free text for the report.").Text(TextForm.Free(200));
        var notes = experiment.Field("notes", "What a reader of the report must know, such as where published figures come from and which parameters were chosen.")
            .List(item => item.Text(TextForm.Free(2_000))!, 0, 50);
        experiment.Field("base", "The plan from which every variant starts; the fields of a run without its id. What it leaves open the changes may give.").Object(Partial);
        return new ExperimentSpec
        {
            Id = id,
            Name = name,
            Notes = notes ?? Defaults.Notes,
            Variants = experiment.Required("variants", "The settings that are measured.").List(item => item.Object(Variant)!, 1, MostVariants) ?? [],
            Repeats = experiment.Field("repeats", "Times that each variant is run; no more than 1000 runs in all.").Int32(1, MostRepeats) ?? Defaults.Repeats,
            Interleaved = experiment.Field("interleaved", "Whether the repeats go round: A B C A B C.").Flag() ?? Defaults.Interleaved,
            Pause = experiment.Field("pause", "Time between two runs.").Duration(TimeSpan.Zero, TimeSpan.FromMinutes(10)) ?? Defaults.Pause,
            Scale = experiment.Field("scale", "Share of the documents and times that is run.").Number(0, 1, aboveMinimum: true) ?? Defaults.Scale,
            Findings = experiment.Field("findings", "The claims to test.").List(item => item.Object(FindingSpecFields.Read)!, 0, MostFindings) ?? Defaults.Findings,
        };
    }

    private static RunSpec Partial(ISpecObject plan) => RunSpecFields.Read(new PartialObject(plan));

    private static VariantSpec Variant(ISpecObject variant)
    {
        var name = variant.Required("name", "What findings and the report call it.").Text(VariantName);
        variant.Field("change", "What differs from the base: objects are merged field by field, all else replaces, null takes a field away.").Object(Partial);
        return new VariantSpec
        {
            Name = name ?? "",
            Published = variant.Field("published", "What was published for these settings, to be set beside what is measured.").Object(Published),
            Notes = variant.Field("notes", "Free text for the report.").Text(TextForm.Free(1_000)),
        };
    }

    private static PublishedFigures Published(ISpecObject published) => new()
    {
        PerSecond = Figure(published, "perSecond", "Documents, rows or requests per second."),
        Seconds = Figure(published, "seconds", "Elapsed seconds; they give the rate where perSecond is left out."),
        Documents = published.Field("documents", "Documents that the seconds were taken for; the plan's when left out.").Integer(1, 1_000_000_000),
        LatencyMeanMs = Figure(published, "latencyMeanMs", "Mean latency of an operation."),
        LatencyP96Ms = Figure(published, "latencyP96Ms", "96th percentile of an operation's latency."),
        RequestUnitsPerOperation = Figure(published, "requestUnitsPerOperation", "RU of an operation."),
        CallsPerOperation = Figure(published, "callsPerOperation", "Requests that the client sent for one operation."),
        Throttled = published.Field("throttled", "Requests answered 429.").Integer(0, 1_000_000_000_000),
        Outcome = published.Field("outcome", "What was written beside the figures, or in place of them.").Text(TextForm.Free(400)),
    };

    private static double? Figure(ISpecObject published, string name, string about) => published.Field(name, about).Number(0, 1e12, aboveMinimum: true);
}
