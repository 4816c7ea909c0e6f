using System.Buffers.Binary;

namespace ScaleOut.Analysis.Experiments.Planning;

/// <summary>Plans variants x repeats. Each round has all variants once, in an order of its own (<see cref="RoundOrder"/>).</summary>
public sealed class GridPlanner : IRunPlanner
{
    private readonly Dictionary<string, PlannedRun> _byId;
    private readonly ExperimentSpec _spec;
    private readonly bool _isBalanced;

    /// <param name="spec">A valid spec with its id.</param>
    /// <param name="isBalanced">
    /// Whether each variant follows each other one equally often, as it did not before version 1.3. An orchestration that began before
    /// keeps its order. A resumed experiment begins a new one, and measures what is left in the order of the newest version.
    /// </param>
    /// <param name="notRun">Indices of variants that are not run, so that no run follows theirs.</param>
    /// <exception cref="ArgumentException">The spec is not valid, or has no id.</exception>
    public GridPlanner(ExperimentSpec spec, bool isBalanced = true, IReadOnlyCollection<int>? notRun = null)
    {
        (_spec, _isBalanced) = (spec, isBalanced);
        All = RunsOf(spec, isBalanced, notRun ?? []);
        _byId = All.ToDictionary(run => run.Spec.Id!);
    }

    public IReadOnlyList<PlannedRun> All { get; }

    public IRunPlanner Without(IReadOnlyCollection<int> variants) =>
        variants.Count == 0 ? this : new GridPlanner(_spec, _isBalanced, variants);

    public PlannedRun? Next(IReadOnlyList<MeasuredRun> measured) => All.ElementAtOrDefault(measured.Count);

    public LimitBracket? BracketOf(IReadOnlyList<MeasuredRun> measured) => null;

    public PlannedRun PlaceOf(RunSpec run) => _byId[run.Id!];

    private static IReadOnlyList<PlannedRun> RunsOf(ExperimentSpec spec, bool isBalanced, IReadOnlyCollection<int> notRun)
    {
        var specs = spec.Variants.Select((_, variant) => PlanOf(spec, variant)).ToList();
        var variants = Enumerable.Range(0, specs.Count);
        var repeats = Enumerable.Range(1, spec.Repeats);
        List<int> run = [.. variants.Except(notRun)];
        var balanced = spec is { Interleaved: true, Seed: { } seed } && isBalanced && run.Count > 0
            ? RoundOrder.From(run.Count, spec.Repeats, HashOf($"{seed}/{spec.Id}"))
            : null;
        var order = spec.Interleaved
            ? repeats.SelectMany(repeat => RoundOf(repeat).Select(variant => (variant, repeat)))
            : variants.SelectMany(variant => repeats.Select(repeat => (variant, repeat)));
        return [.. order.Select(place => RunOf(spec, specs[place.variant], place.variant, place.repeat))];

        IEnumerable<int> RoundOf(int repeat) =>
            balanced?[repeat - 1].Select(place => run[place]).Concat(notRun) ?? OrderOf(spec, repeat);
    }

    /// <summary>The spec of one variant at its scale, without an id.</summary>
    /// <exception cref="ArgumentException">The spec is not valid.</exception>
    public static RunSpec PlanOf(ExperimentSpec spec, int variant) => ExperimentScale.Apply(FullPlanOf(spec, variant), spec.Scale);

    /// <summary>The spec of one variant at full size, without an id.</summary>
    /// <exception cref="ArgumentException">The spec is not valid.</exception>
    public static RunSpec FullPlanOf(ExperimentSpec spec, int variant)
    {
        var reading = RunSpecReader.Read(PlanMerge.From(spec.Base, spec.Variants[variant].Change));
        return reading.Value ?? throw new ArgumentException($"variants[{variant}]: {string.Join("; ", reading.Errors)}", nameof(spec));
    }

    private static PlannedRun RunOf(ExperimentSpec spec, RunSpec run, int variant, int repeat)
    {
        var id = spec.Id ?? throw new ArgumentException("The experiment has no id.", nameof(spec));
        var name = spec.Variants[variant].Name;
        return new PlannedRun
        {
            Variant = variant,
            VariantName = name,
            Repeat = repeat,
            Spec = run with
            {
                Id = ExperimentIds.OfRun(id, variant, repeat),
                // A resume recognizes its runs by their claimed specs, so the name must always be cut in the same way.
                Name = ShortText.Cut(
                    $"{name}, repeat {repeat} of {spec.Repeats}{(spec.Name is null ? "" : $": {spec.Name}")}",
                    RunSpec.MaxNameLength),
                // Repeats on simulated accounts need independent noise.
                Seed = unchecked(run.Seed + repeat - 1),
            },
        };
    }

    /// <summary>
    /// Indices of the variants in the order of one round, without a seed or before version 1.3. The order follows from a hash of the
    /// experiment's seed and id, the round and the variant, so it is the same on every machine.
    /// </summary>
    /// <param name="repeat">The round, from 1.</param>
    private static IEnumerable<int> OrderOf(ExperimentSpec spec, int repeat)
    {
        var variants = Enumerable.Range(0, spec.Variants.Count);
        return spec.Seed is { } seed ? variants.OrderBy(variant => PlaceInRound(seed, spec.Id, repeat, variant)) : variants;
    }

    private static ulong PlaceInRound(int seed, string? id, int repeat, int variant) => HashOf($"{seed}/{id}/{repeat}/{variant}");

    private static ulong HashOf(FormattableString text) =>
        BinaryPrimitives.ReadUInt64LittleEndian(SHA256.HashData(Encoding.UTF8.GetBytes(FormattableString.Invariant(text))));
}
