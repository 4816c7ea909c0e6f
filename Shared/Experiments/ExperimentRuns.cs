namespace ScaleOut.Experiments;

/// <summary>
/// The runs that an experiment consists of: a function of its spec alone, so that whoever goes on with it comes to the same.
/// </summary>
public static class ExperimentRuns
{
    /// <summary>All runs in the order in which they are measured.</summary>
    /// <param name="spec">A valid spec with its id.</param>
    /// <exception cref="ArgumentException">It is none.</exception>
    public static IReadOnlyList<ExperimentRun> From(ExperimentSpec spec)
    {
        var specs = spec.Variants.Select((_, variant) => PlanOf(spec, variant)).ToList();
        var variants = Enumerable.Range(0, specs.Count);
        var repeats = Enumerable.Range(1, spec.Repeats);
        var order = spec.Interleaved
            ? repeats.SelectMany(repeat => RoundOrder.From(spec, repeat).Select(variant => (variant, repeat)))
            : variants.SelectMany(variant => repeats.Select(repeat => (variant, repeat)));
        return [.. order.Select(place => RunOf(spec, specs[place.variant], place.variant, place.repeat))];
    }

    /// <summary>The spec of one variant at its scale, without an id.</summary>
    /// <exception cref="ArgumentException">The spec is not valid.</exception>
    public static RunSpec PlanOf(ExperimentSpec spec, int variant) => ExperimentScale.Apply(FullPlanOf(spec, variant), spec?.Scale ?? 1);

    /// <summary>The spec of one variant at full size, without an id.</summary>
    /// <exception cref="ArgumentException">The spec is not valid.</exception>
    public static RunSpec FullPlanOf(ExperimentSpec spec, int variant)
    {
        var reading = RunSpecReader.Read(PlanMerge.From(spec.Base, spec.Variants[variant].Change));
        return reading.Value ?? throw new ArgumentException($"variants[{variant}]: {string.Join("; ", reading.Errors)}", nameof(spec));
    }

    /// <summary>A run's id, such as <c>ladder-v03-r02</c>, counted from 1.</summary>
    public static string IdOf(string experimentId, int variant, int repeat) =>
        string.Create(CultureInfo.InvariantCulture, $"{experimentId}-v{variant + 1:00}-r{repeat:00}");

    private static ExperimentRun RunOf(ExperimentSpec spec, RunSpec run, int variant, int repeat)
    {
        var id = spec.Id ?? throw new ArgumentException("The experiment has no id.", nameof(spec));
        var name = spec.Variants[variant].Name;
        return new ExperimentRun
        {
            Variant = variant,
            VariantName = name,
            Repeat = repeat,
            Spec = run with
            {
                Id = IdOf(id, variant, repeat),
                Name = Shorten(string.Create(
                    CultureInfo.InvariantCulture,
                    $"{name}, repeat {repeat} of {spec.Repeats}{(spec.Name is null ? "" : $": {spec.Name}")}")),
                // Else the repeats of the simulated account would share their luck.
                Seed = unchecked(run.Seed + repeat - 1),
            },
        };
    }

    // Not between the halves of a surrogate pair.
    private static string Shorten(string name) =>
        name.Length <= RunSpec.MaxNameLength
            ? name
            : name[..(RunSpec.MaxNameLength - (char.IsHighSurrogate(name[RunSpec.MaxNameLength - 1]) ? 1 : 0))];
}
