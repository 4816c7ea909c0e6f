namespace ScaleOut.Sizing;

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
    /// <summary>Factor on the operations in flight that are needed. A slower account needs more, and spare ones cost nothing.</summary>
    private const int SpareInFlight = 2;

    /// <summary>How many numbers of workers above the fewest are tried, because they may need fewer RU/s.</summary>
    private const int MoreWorkers = 3;

    /// <summary>Factor on the room between two numbers of partitions that are tried for a fleet that fails its second simulation.</summary>
    private const double MoreRoom = 1.25;

    /// <summary>By how much fewer RU/s another number of partitions is worth a search, as a share.</summary>
    private const double WorthSearching = 0.01;

    /// <summary>By how much the p99 of one of two fleets of the same price must be lower for it to be chosen, as a share.</summary>
    private const double ClearlyFaster = 0.02;

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

    /// <summary>RU/s around those of the result, as factors on them.</summary>
    private static readonly double[] FactorsAround = [0.95, 1.05, 1.25];

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
        var (trials, best) = InCheapestTime(FleetTrials.From(basis, question, cancellationToken));
        return new SizeResultBuilder(trials, best).Build();
    }

    /// <summary>
    /// The cheapest fleet, of a load that in the time that costs least; null if none holds. The trials are those of that time.
    /// </summary>
    public static (FleetTrials Trials, TriedFleet? Best) InCheapestTime(FleetTrials asked)
    {
        var trials = asked.InCheapestTime();
        var best = new FleetSearch(trials).Cheapest();
        return best is null && trials != asked ? (asked, new FleetSearch(asked).Cheapest()) : (trials, best);
    }

    /// <summary>The cheapest fleet that holds the rate; null if none does.</summary>
    /// <inheritdoc cref="Find"/>
    public static FleetSettings? FindCheapest(FleetBasis basis, SizeQuestion question, CancellationToken cancellationToken = default) =>
        new FleetSearch(FleetTrials.From(basis, question, cancellationToken)).Cheapest()?.Settings;

    /// <summary>The cheapest fleet of all modes, among them those next to it; null if none holds the rate.</summary>
    public TriedFleet? Cheapest()
    {
        TriedFleet? best = null;
        foreach (var (mode, bulk) in Variants())
        {
            if ((best is null || MayBeCheaper(best, mode, bulk)) && Cheapest(mode, bulk) is { } found
                && (best is null || IsBetter(found, best)))
                best = found;
        }

        if (best is null)
            return null;
        best = Settle(best);
        TryAround(best.Settings);
        return Settle(best);
    }

    /// <summary>Tries the fleets next to the result, so that the table shows what they lack or cost more.</summary>
    private void TryAround(FleetSettings best)
    {
        var autoscale = _trials.Basis.Spec.Container.Autoscale;
        List<FleetSettings> fleets =
        [
            .. new[] { best.Workers - 1, best.Workers + 1 }.Select(workers =>
                best with { Workers = workers, Concurrency = Question.KeepsConcurrency ? best.Concurrency : 0 }),
        ];
        if (!Question.KeepsThroughput)
        {
            fleets.AddRange(FactorsAround.Select(factor =>
                best with { Throughput = StorageNeeds.RoundUp(best.Throughput * factor, autoscale) }));
            fleets.Add(best with { Partitions = PartitionChoice.CreatedWith(_trials, best.Throughput) });
        }

        var most = best.Partitions * (long)SimulationSpec.MaxRequestUnitsPerPartition;
        foreach (var one in fleets.Where(one => one.Workers is >= 1 and <= RunSpec.MaxWorkers
            && one.Throughput >= LeastOn(one.Partitions) && one.Throughput <= most))
            _trials.Try(one);

        // With the headroom asked for, and no fewer than the storage demands.
        int LeastOn(int partitions) =>
            _layouts.FirstOrDefault(layout => layout.Partitions == partitions)?.Least ?? ContainerSpec.MinThroughput;
    }

    /// <summary>Whether a mode holds with a little less of what another one takes, or is faster with the same.</summary>
    private bool MayBeCheaper(TriedFleet best, ConnectionMode mode, bool bulk)
    {
        var same = best.Settings with { Mode = mode, Bulk = bulk, Concurrency = 0 };
        return (_trials.Try(same) is var tried && Holds(tried) && IsBetter(tried, best))
            || (same.Workers > 1 && Holds(_trials.Try(same with { Workers = same.Workers - 1 })))
            || (same.Throughput - Step >= _layouts.Min(one => one.Least)
                && Holds(_trials.Try(same with { Throughput = same.Throughput - Step })));
    }

    /// <summary>
    /// The best of all fleets that were tried. A fleet may pass a short simulation by chance, so each better one is confirmed by a longer
    /// one.
    /// </summary>
    private TriedFleet Settle(TriedFleet best)
    {
        while (InOrder(_trials.Tried.Where(one => Holds(one) && IsBetter(one, best))).FirstOrDefault() is { } better)
        {
            if (_trials.Try(better.Settings, final: true) is var again && Holds(again) && IsBetter(again, best))
                best = again;
        }

        return best;
    }

    /// <summary>The cheapest fleet of a mode; null if none holds the rate.</summary>
    private TriedFleet? Cheapest(ConnectionMode mode, bool bulk)
    {
        if (_layouts.Count == 0)
            return null;
        var roomiest = _layouts.MaxBy(one => one.Room)!;
        var ample = _layouts.FirstOrDefault(one => one.Room >= PartitionChoice.AmpleRoom) ?? roomiest;
        FleetSettings On(PartitionChoice one, int throughput) => new(mode, bulk, 1, 0, throughput, one.Partitions);
        var holding = FewestWorkers(On(ample, ample.Ample)) is { } fewest ? (ample, fewest)
            : FewestWorkers(On(roomiest, roomiest.Most)) is { } most ? (roomiest, most)
            : ((PartitionChoice Layout, int Workers)?)null;
        if (holding is not var (layout, workers))
            return null;
        TriedFleet? best = null;
        var step = StepOf(workers);
        var layouts = Roomy(On(layout, 0) with { Workers = workers }, layout);
        // Of so many workers a few more save no RU/s.
        var moreWorkers = Question.Rate > FleetTrials.MaxWholeRate ? 0 : MoreWorkers;
        for (var more = 0; more <= moreWorkers && workers + (more * step) <= RunSpec.MaxWorkers; more++)
        {
            var settings = On(layout, 0) with { Workers = workers + (more * step) };
            var least = _trials.CostOf(settings with { Throughput = _layouts.Min(one => one.Least) });
            if (best is not null && (Question.PrefersWorkers || least >= best.Cost))
                break;
            if (FewestThroughput(settings, layouts, best is null ? int.MaxValue : CheaperThan(best, settings)) is { } found
                && (best is null || Compare(found, best) < 0))
                best = found;
        }

        return best is null ? null : Confirmed(best.Settings);
    }

    /// <summary>The next number of workers that is worth a try, less this one.</summary>
    private static int StepOf(int workers) => Math.Max(1, (int)(WorkersPrecision * workers));

    /// <summary>
    /// The numbers of partitions on which the rate may hold: those that have as much room as the least roomy one that holds it with its
    /// most RU/s.
    /// </summary>
    /// <param name="holding">One that holds it.</param>
    private IReadOnlyList<PartitionChoice> Roomy(FleetSettings settings, PartitionChoice holding)
    {
        bool HoldsOn(PartitionChoice one) => Holds(_trials.Try(settings with { Throughput = one.Most, Partitions = one.Partitions }));
        if (HoldsOn(_layouts[0]))
            return _layouts;
        var byRoom = _layouts.OrderBy(one => one.Room).ToList();
        var high = byRoom.IndexOf(holding);
        var least = byRoom[Least(Math.Min(byRoom.IndexOf(_layouts[0]), high - 1), high, at => HoldsOn(byRoom[at]))];
        return [.. _layouts.Where(one => one.Room >= least.Room)];
    }

    /// <summary>The RU/s from which on a fleet with more workers is cheaper than another fleet.</summary>
    private int CheaperThan(TriedFleet other, FleetSettings settings)
    {
        const int Difference = 10_000;
        double CostAt(int throughput) => _trials.CostOf(settings with { Throughput = throughput });
        var throughput = other.Settings.Throughput;
        var slope = (CostAt(throughput + Difference) - CostAt(throughput)) / Difference;
        var most = slope > 0 ? throughput - ((CostAt(throughput) - other.Cost) / slope) : throughput;
        return RoundDown(most);
    }

    private int RoundDown(double throughput) => (int)(Math.Floor(throughput / Step) * Step);

    /// <summary>The fleet with the fewest RU/s over all numbers of partitions; null if none holds the rate.</summary>
    /// <param name="limit">Most RU/s that are tried.</param>
    private TriedFleet? FewestThroughput(FleetSettings settings, IReadOnlyList<PartitionChoice> layouts, int limit)
    {
        TriedFleet? best = null;
        var failed = 0;
        foreach (var layout in layouts)
        {
            var allowed = best is null ? limit : RoundDown(best.Settings.Throughput * (1 - WorthSearching));
            if (failed == MaxFailed)
                break;
            if (layout.Least > allowed)
                continue;
            var most = Math.Min(layout.Most, allowed);
            var on = settings with { Partitions = layout.Partitions };
            if (!Holds(_trials.Try(on with { Throughput = most })))
            {
                // The following layouts need at least as many RU/s, apart from the noise of small partitions.
                failed += most == allowed ? 1 : 0;
                continue;
            }

            best = Fewest(throughput => _trials.Try(on with { Throughput = throughput }), layout.Least, most);
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

    /// <summary>The fewest RU/s that hold, looked for from below, because they are mostly little more than the least ones.</summary>
    /// <param name="least">RU/s below which none hold.</param>
    /// <param name="most">RU/s that hold.</param>
    private TriedFleet Fewest(Func<int, TriedFleet> at, int least, int most)
    {
        int Round(double throughput) => Math.Min(most, (int)Math.Ceiling(throughput / Step) * Step);
        var (low, high) = (least - Step, least);
        for (var growth = 0.01; high < most && !Holds(at(high)); growth *= 2)
            (low, high) = (high, Round(Math.Max(least * (1 + growth), high + Step)));
        while (high - low > Math.Max(Step, ThroughputPrecision * high))
        {
            var middle = Round(low + ((high - low) / 2.0));
            if (middle >= high)
                break;
            if (Holds(at(middle)))
                high = middle;
            else
                low = middle;
        }

        return at(high);
    }

    /// <summary>
    /// The fleet, with twice as many operations in flight as it needs. The result may be due to chance, so a longer simulation with another
    /// seed confirms it. A fleet that fails gets more RU/s, more workers where these do not help, then more partitions. Null if none holds.
    /// </summary>
    private TriedFleet? Confirmed(FleetSettings found)
    {
        var inFlight = InFlightOf(found);
        PartitionChoice? before = null;
        foreach (var layout in _layouts.Where(one => one.Partitions == found.Partitions)
            .Concat(_layouts.OrderBy(one => one.Room)).ToList())
        {
            if (before is not null && layout.Room < before.Room * MoreRoom)
                continue;
            before = layout;
            for (var more = 0; more <= MoreWorkers; more++)
            {
                var on = found with
                {
                    Partitions = layout.Partitions,
                    Workers = Math.Min(found.Workers + (more * StepOf(found.Workers)), RunSpec.MaxWorkers),
                    Concurrency = inFlight,
                };
                TriedFleet At(int throughput) => _trials.Try(on with { Throughput = throughput }, final: true);
                var least = Math.Max(found.Throughput, layout.Least);
                if (At(least) is var first && Holds(first))
                    return first;
                if (Holds(At(layout.Most)))
                    return Fewest(At, least, layout.Most);
            }
        }

        return null;
    }

    /// <summary>Twice as many operations in flight as a fleet needs.</summary>
    private int InFlightOf(FleetSettings found)
    {
        if (Question.KeepsConcurrency)
            return _trials.AmpleConcurrency(found);
        var ample = _trials.AmpleConcurrency(found);
        var inFlight = InFlight.Where(one => one < ample).Append(ample).ToList();
        var fewest = inFlight[Least(-1, inFlight.Count - 1, at => Holds(_trials.Try(found with { Concurrency = inFlight[at] })))];
        return inFlight.FirstOrDefault(one => one >= SpareInFlight * fewest, inFlight[^1]);
    }

    /// <summary>
    /// The fewest workers that hold the rate, with a precision of <see cref="WorkersPrecision"/>; null if no number of workers does.
    /// </summary>
    private int? FewestWorkers(FleetSettings settings)
    {
        TriedFleet With(int workers) => _trials.Try(settings with { Workers = workers });
        var (low, high, step) = (0, _trials.LeastWorkers, 1);
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
        if (!Question.KeepsWorkload && spec.Workload.Kind == WorkloadKind.Insert && allowsBulk && Question.Rate <= FleetTrials.MaxWholeRate)
            yield return (own.ConnectionMode, true);
    }

    private bool Holds(TriedFleet fleet) => (_slower ? fleet.UnmetIfSlower : fleet.Unmet) is null;

    private IOrderedEnumerable<TriedFleet> InOrder(IEnumerable<TriedFleet> fleets) =>
        fleets.Order(Comparer<TriedFleet>.Create(Compare)).ThenBy(one => one.Forecast.OperationMs.P99);

    /// <summary>
    /// Whether a fleet is cheaper than another one; of the same price, whether it is faster on other partitions or in another mode.
    /// </summary>
    private bool IsBetter(TriedFleet one, TriedFleet other)
    {
        var isOther = one.Settings with { Concurrency = other.Settings.Concurrency } != other.Settings;
        // Autoscale is billed by what the rate uses, so more RU/s may cost the same at this rate, and more when something goes wrong.
        var hasNoMore = one.Settings.Throughput <= other.Settings.Throughput;
        return Compare(one, other) is var order && (order < 0 || (order == 0 && isOther && hasNoMore
            && one.Forecast.OperationMs.P99 < other.Forecast.OperationMs.P99 * (1 - ClearlyFaster)));
    }

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
