namespace ScaleOut.DevBox.Sizing;

/// <summary>
/// Looks for the cheapest fleet that holds a rate under a condition: for each number of partitions the fewest RU/s, beginning where they
/// can be fewest, then the operations in flight.
/// </summary>
/// <remarks>
/// With keys that documents share, more RU/s may mean more partitions, and so less for each key. Only for a fixed number of partitions do
/// more RU/s never harm.
/// </remarks>
internal sealed class FleetSearch
{
    /// <summary>Most documents a second of fleets that are simulated as a whole.</summary>
    private const double MaxWholeRate = 100_000;

    /// <summary>Factor on the operations in flight that are needed. A slower account needs more, and spare ones cost nothing.</summary>
    private const int SpareInFlight = 2;

    /// <summary>How often a fleet that fails its second simulation is made larger.</summary>
    private const int MaxEnlargements = 8;

    /// <summary>How many numbers of workers above the fewest are tried, because they may need fewer RU/s.</summary>
    private const int MoreWorkers = 3;

    /// <summary>How many numbers of partitions are tried with ample RU/s, those with the most room first.</summary>
    private const int MaxRoomy = 2;

    /// <summary>How many numbers of partitions may fail with the RU/s of a cheaper fleet before the rest is not tried.</summary>
    private const int MaxFailed = 3;

    /// <summary>Precision of the number of workers of large fleets, as a share.</summary>
    private const double WorkersPrecision = 0.01;

    /// <summary>Precision of the RU/s, as a share.</summary>
    private const double ThroughputPrecision = 0.004;

    /// <summary>If clients use less of their cores than this share, more workers do not help.</summary>
    private const double IdleClientShare = MaxShare / 3;

    private const double MaxShare = FleetForecast.MaxClientShare;

    private static readonly int[] InFlight =
        [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000];

    private readonly FleetTrials _trials;
    private readonly bool _slower;
    private readonly IReadOnlyList<PartitionChoice> _layouts;

    /// <param name="slower">Whether latencies are longer than simulated by the model's own error.</param>
    public FleetSearch(FleetTrials trials, bool slower = false) =>
        (_trials, _slower, _layouts) = (trials, slower, PartitionChoice.All(trials));

    private SizeQuestion Question => _trials.Question;

    private int Step => StorageNeeds.StepOf(_trials.Basis.Spec.Container.Autoscale);

    /// <summary>Sizes the fleet for a rate, and says what the result depends on.</summary>
    /// <exception cref="InputException">No container has the RU/s, or the fleet is too large to simulate.</exception>
    /// <exception cref="OperationCanceledException">The search was cancelled.</exception>
    public static SizeResult Find(FleetBasis basis, SizeQuestion question, CancellationToken cancellationToken = default)
    {
        var trials = TrialsOf(basis, question, cancellationToken);
        var search = new FleetSearch(trials);
        return new SizeResultBuilder(trials, search, search.Cheapest()).Build();
    }

    /// <summary>The cheapest fleet that holds the rate; null if none does.</summary>
    /// <inheritdoc cref="Find"/>
    public static FleetSettings? FindCheapest(FleetBasis basis, SizeQuestion question, CancellationToken cancellationToken = default) =>
        new FleetSearch(TrialsOf(basis, question, cancellationToken)).Cheapest()?.Settings;

    private static FleetTrials TrialsOf(FleetBasis basis, SizeQuestion question, CancellationToken cancellationToken)
    {
        var keys = KeySpread.From(basis.Spec, question.ReadSkew, question.ExistingDocuments(basis.Spec), cancellationToken);
        if (question.Rate > MaxWholeRate && (basis.Spec.Workload.UsesBulk || !keys.IsEven))
        {
            throw new InputException(
                $"--rate: in bulk, and with keys that documents share, no fleet above {Numbers.Brief(MaxWholeRate)} documents a second is "
                    + "looked for; --workers simulates one.");
        }

        var used = question.Rate * basis.ChargePerDocument;
        if (used > ContainerSpec.MaxThroughput)
        {
            throw new InputException(
                $"--rate: {Numbers.Brief(question.Rate)} documents a second need {Numbers.Brief(used)} RU/s, and a container has at "
                    + $"most {Numbers.Count(ContainerSpec.MaxThroughput)}.");
        }

        return new FleetTrials(basis, question, keys, cancellationToken);
    }

    /// <summary>The cheapest fleet of all modes; null if none holds the rate.</summary>
    public TriedFleet? Cheapest()
    {
        TriedFleet? best = null;
        foreach (var (mode, bulk) in Variants())
        {
            if ((best is null || MayBeCheaper(best, mode, bulk)) && Cheapest(mode, bulk) is { } found
                && (best is null || Compare(found, best) < 0))
                best = found;
        }

        return best is null ? null : Settle(best);
    }

    /// <summary>Whether a mode holds with a little less of what another one takes.</summary>
    private bool MayBeCheaper(TriedFleet best, ConnectionMode mode, bool bulk)
    {
        var same = best.Settings with { Mode = mode, Bulk = bulk, Concurrency = 0 };
        _trials.Try(same);
        return (same.Workers > 1 && Holds(_trials.Try(same with { Workers = same.Workers - 1 })))
            || (same.Throughput - Step >= _layouts[0].Least && Holds(_trials.Try(same with { Throughput = same.Throughput - Step })));
    }

    /// <summary>
    /// The cheapest of all fleets that were tried. A fleet may pass a short simulation by chance, so each cheaper fleet is confirmed by a
    /// longer one.
    /// </summary>
    public TriedFleet Settle(TriedFleet best)
    {
        while (InOrder(_trials.Tried.Where(one => Holds(one) && Compare(one, best) < 0)).FirstOrDefault() is { } cheaper)
        {
            if (_trials.Try(cheaper.Settings, final: true) is var again && Holds(again))
                best = again;
        }

        return best;
    }

    /// <summary>The cheapest fleet of a mode; null if none holds the rate.</summary>
    public TriedFleet? Cheapest(ConnectionMode mode, bool bulk)
    {
        if (_layouts.Count == 0)
            return null;
        var (fewest, ample) = _layouts.OrderByDescending(one => Math.Min(one.Room, PartitionChoice.AmpleRoom)).Take(MaxRoomy)
            .Select(one => new FleetSettings(mode, bulk, 1, 0, one.Ample, one.Partitions))
            .Select(one => (FewestWorkers(one), one)).FirstOrDefault(one => one.Item1 is not null);
        if (fewest is not { } workers)
            return null;
        TriedFleet? best = null;
        var step = Math.Max(1, (int)(WorkersPrecision * workers));
        for (var more = 0; more <= MoreWorkers && workers + (more * step) <= RunSpec.MaxWorkers; more++)
        {
            var settings = ample with { Workers = workers + (more * step), Concurrency = 0 };
            var least = _trials.CostOf(settings with { Throughput = _layouts.Min(one => one.Least) });
            if (best is not null && (Question.PrefersWorkers || least >= best.Cost))
                break;
            if (FewestThroughput(settings, best is null ? int.MaxValue : CheaperThan(best, settings)) is { } found
                && (best is null || Compare(found, best) < 0))
                best = found;
        }

        return best is null ? null : Confirmed(best.Settings);
    }

    /// <summary>The RU/s from which on a fleet with more workers is cheaper than another fleet.</summary>
    private int CheaperThan(TriedFleet other, FleetSettings settings)
    {
        const int Difference = 10_000;
        double CostAt(int throughput) => _trials.CostOf(settings with { Throughput = throughput });
        var throughput = other.Settings.Throughput;
        var slope = (CostAt(throughput + Difference) - CostAt(throughput)) / Difference;
        var most = slope > 0 ? throughput - ((CostAt(throughput) - other.Cost) / slope) : throughput;
        return (int)(Math.Floor(most / Step) * Step);
    }

    /// <summary>The fleet with the fewest RU/s over all numbers of partitions; null if none holds the rate.</summary>
    /// <param name="limit">Most RU/s that are tried.</param>
    private TriedFleet? FewestThroughput(FleetSettings settings, int limit)
    {
        TriedFleet? best = null;
        var failed = 0;
        foreach (var layout in _layouts)
        {
            var allowed = best is null ? limit : best.Settings.Throughput - Step;
            if (layout.Least > allowed || failed == MaxFailed)
                break;
            var most = Math.Min(layout.Most, allowed);
            var on = settings with { Partitions = layout.Partitions };
            if (!Holds(_trials.Try(on with { Throughput = most })))
            {
                // The following layouts need at least as many RU/s, apart from the noise of small partitions.
                failed += most == allowed ? 1 : 0;
                continue;
            }

            best = Fewest(on, layout, most, Step);
            // If keys spread evenly, fewer and larger partitions never need more RU/s.
            if (_trials.Keys.IsEven)
                break;
        }

        // A container that is created with these RU/s has so many partitions; others take more steps to get.
        if (best is not null && PartitionChoice.CreatedWith(_trials, best.Settings.Throughput) is var natural
            && natural != best.Settings.Partitions && _layouts.Any(one => one.Partitions == natural)
            && _trials.Try(best.Settings with { Partitions = natural }) is var created && Holds(created))
            return created;
        return best;
    }

    /// <summary>The fewest RU/s that hold on a layout, looked for from below, because it is mostly little more than what is used.</summary>
    /// <param name="most">RU/s that hold.</param>
    private TriedFleet Fewest(FleetSettings settings, PartitionChoice layout, int most, int step)
    {
        TriedFleet At(int throughput) => _trials.Try(settings with { Throughput = throughput });
        int Round(double throughput) => Math.Min(most, (int)Math.Ceiling(throughput / step) * step);
        var (low, high) = (layout.Least - step, layout.Least);
        for (var growth = 0.01; high < most && !Holds(At(high)); growth *= 2)
            (low, high) = (high, Round(Math.Max(layout.Least * (1 + growth), high + step)));
        while (high - low > Math.Max(step, ThroughputPrecision * high))
        {
            var middle = Round(low + ((high - low) / 2.0));
            if (middle >= high)
                break;
            if (Holds(At(middle)))
                high = middle;
            else
                low = middle;
        }

        return At(high);
    }

    /// <summary>
    /// The fleet with twice as many operations in flight as it needs. The result may be due to chance, so a longer simulation with another
    /// seed confirms it. A fleet that fails gets more RU/s. Null if none holds.
    /// </summary>
    private TriedFleet? Confirmed(FleetSettings found)
    {
        var autoscale = _trials.Basis.Spec.Container.Autoscale;
        for (var i = 0; i < MaxEnlargements; i++)
        {
            var settings = found with { Concurrency = 0 };
            if (!Question.KeepsConcurrency)
            {
                var ample = _trials.AmpleConcurrency(settings);
                var inFlight = InFlight.Where(one => one < ample).Append(ample).ToList();
                var fewest = inFlight[
                    Least(-1, inFlight.Count - 1, at => Holds(_trials.Try(settings with { Concurrency = inFlight[at] })))];
                settings = settings with { Concurrency = inFlight.FirstOrDefault(one => one >= SpareInFlight * fewest, inFlight[^1]) };
            }

            if (_trials.Try(settings, final: true) is var again && Holds(again))
                return again;
            var more = StorageNeeds.RoundUp(found.Throughput * (1 + (ThroughputPrecision * (i + 1))), autoscale);
            var most = _layouts.First(one => one.Partitions == found.Partitions).Most;
            found = more <= most
                ? found with { Throughput = more }
                : found with { Workers = Math.Min(found.Workers + 1, RunSpec.MaxWorkers) };
        }

        return null;
    }

    /// <summary>
    /// The fewest workers that hold the rate, with a precision of <see cref="WorkersPrecision"/>; null if no number of workers does.
    /// </summary>
    private int? FewestWorkers(FleetSettings settings)
    {
        TriedFleet With(int workers) => _trials.Try(settings with { Workers = workers });
        var basis = _trials.Basis;
        var cores = basis.Spec.SettingsOf(0).Cores ?? 1;
        var byCpu = Question.Rate * (basis.CpuMsPerAttempt ?? 0)
            / (1000.0 * cores * MaxShare * basis.Spec.Workload.DocumentsPerOperation);
        var (low, high, step) = (0, (int)Math.Clamp(Math.Ceiling(byCpu), 1, RunSpec.MaxWorkers), 1);
        for (var tried = With(high); !Holds(tried); tried = With(high))
        {
            // More workers do not help if the account or the condition is the limit.
            var isIdle = tried.Forecast.Utilization is { KeptSchedule: true } used && !(used.Client > IdleClientShare);
            if (high == RunSpec.MaxWorkers || isIdle || tried.Forecast.BoundBy is BoundBy.RequestUnits or BoundBy.Partition)
                return null;
            (low, high, step) = (high, Math.Min(high + step, RunSpec.MaxWorkers), 2 * step);
        }

        // The estimate by the CPU is mostly right, so the search begins just below it.
        if (low == 0 && high > 1 && Holds(With(high - 1)))
            high--;
        else if (low == 0)
            low = high - 1;
        return Least(low, high, workers => Holds(With(workers)), WorkersPrecision);
    }

    private IEnumerable<(ConnectionMode Mode, bool Bulk)> Variants()
    {
        var spec = _trials.Basis.Spec;
        var own = (spec.SettingsOf(0).ConnectionMode, spec.Workload.UsesBulk);
        yield return own;
        if (!Question.KeepsMode)
            yield return (own.ConnectionMode == ConnectionMode.Direct ? ConnectionMode.Gateway : ConnectionMode.Direct, own.UsesBulk);
        // A bulk request waits up to its timer for more operations.
        var allowsBulk = !(Question.Condition.LatencyBoundMs <= RunEstimate.BulkFlushMs);
        if (!Question.KeepsWorkload && spec.Workload.Kind == WorkloadKind.Insert && allowsBulk && Question.Rate <= MaxWholeRate)
            yield return (own.ConnectionMode, true);
    }

    private bool Holds(TriedFleet fleet) => (_slower ? fleet.UnmetIfSlower : fleet.Unmet) is null;

    private IOrderedEnumerable<TriedFleet> InOrder(IEnumerable<TriedFleet> fleets) =>
        fleets.Order(Comparer<TriedFleet>.Create(Compare)).ThenBy(one => one.Forecast.OperationMs.P99);

    /// <summary>Below 0 if the first fleet is to be chosen rather than the second.</summary>
    private int Compare(TriedFleet one, TriedFleet other)
    {
        var (byCost, byWorkers) = (one.Cost.CompareTo(other.Cost), one.Settings.Workers.CompareTo(other.Settings.Workers));
        var (first, second) = Question.PrefersWorkers ? (byWorkers, byCost) : (byCost, byWorkers);
        return first != 0 ? first : second;
    }

    /// <summary>The lowest value that holds, found by halving; <paramref name="high"/> if no lower one does.</summary>
    /// <param name="low">A value that does not hold.</param>
    /// <param name="precision">How far above the lowest value the result may be, as a share of it.</param>
    private static int Least(int low, int high, Func<int, bool> holds, double precision = 0)
    {
        while (high - low > Math.Max(1, precision * high))
        {
            var middle = low + ((high - low) / 2);
            if (holds(middle))
                high = middle;
            else
                low = middle;
        }

        return high;
    }
}
