namespace ScaleOut.Sizing;

/// <summary>Shares of the RU/s that a rate uses.</summary>
/// <param name="Reads">Of reads and queries by key.</param>
/// <param name="Even">Of queries that ask all partitions.</param>
internal readonly record struct UnitShares(double Reads, double Even)
{
    public double Writes => 1 - Reads - Even;
}

/// <summary>Simulates fleets that share a rate evenly, and judges whether they hold it. Thread-safe.</summary>
/// <remarks>
/// A fleet holds the rate if it meets the condition, keeps its schedule, and uses at most <see cref="FleetForecast.MaxClientShare"/> of its
/// clients' cores.
/// </remarks>
internal sealed class FleetTrials(FleetBasis basis, SizeQuestion question, KeySpread keys, CancellationToken cancellationToken)
{
    /// <summary>Most documents a second of fleets that are simulated as a whole.</summary>
    public const double MaxWholeRate = 100_000;

    /// <summary>Mean time for which operations may wait for RU: one in twenty for a second.</summary>
    private const double ThrottledMs = 50;

    private const long MaxOperations = 200_000;
    private const long MaxFinalOperations = 800_000;

    /// <summary>
    /// Operations that decide about a fleet. 429s come in stretches of many seconds, so a minute of few operations has too few of them.
    /// </summary>
    private const double FinalOperations = 400_000;

    private static readonly TimeSpan FinalDuration = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan MaxFinalDuration = TimeSpan.FromMinutes(10);

    /// <summary>A second of so many operations says as much as a minute of few.</summary>
    private static readonly TimeSpan LargeFinalDuration = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan Warmup = TimeSpan.FromSeconds(2);

    private readonly ConcurrentDictionary<FleetSettings, TriedFleet> _tried = new();
    private KeySpread? _storing;

    /// <exception cref="InputException">No container has the RU/s, or the fleet is too large to simulate.</exception>
    public static FleetTrials From(FleetBasis basis, SizeQuestion question, CancellationToken cancellationToken)
    {
        var keys = KeySpread.From(basis.Spec, question.ReadSkew, question.ExistingDocuments(basis.Spec), cancellationToken);
        var trials = Create(basis, question, keys, cancellationToken);
        if (!trials.CanBeSearched)
        {
            throw new InputException(
                "--rate",
                "in bulk, with keys that documents share, and with queries of all partitions, no fleet above "
                    + $"{Numbers.Brief(MaxWholeRate)} requests a second is looked for; --workers simulates one.");
        }

        return trials.Used <= ContainerSpec.MaxThroughput ? trials : throw new InputException(
            "--rate",
            $"{Numbers.Brief(question.Rate)} documents a second need {Numbers.Brief(trials.Used)} RU/s, and a container has at most "
                + $"{Numbers.Count(ContainerSpec.MaxThroughput)}.");
    }

    public FleetBasis Basis => basis;

    public SizeQuestion Question => question;

    /// <summary>How the keys spread with the documents that are stored at the start.</summary>
    public KeySpread Keys => _storing ??= keys.Storing(Growth.GigabytesAtOnce);

    public CancellationToken Cancellation => cancellationToken;

    /// <summary>All fleets that were tried.</summary>
    public IReadOnlyCollection<TriedFleet> Tried => [.. _tried.Values];

    /// <summary>What is stored at the rate.</summary>
    public StorageGrowth Growth { get; } = StorageGrowth.From(basis, question, keys);

    /// <summary>RU/s that the rate uses, on as few partitions as there are.</summary>
    public double Used => UsedOn(FewestPartitions);

    /// <summary>RU/s that the rate uses on so many partitions: a query of all of them costs more on more.</summary>
    public double UsedOn(int partitions) => question.Rate * basis.ChargeOn(partitions);

    private int FewestPartitions => Math.Max(question.OnPartitions ?? 1, Growth.PartitionsAtOnce);

    /// <summary>Shares of these RU/s: of reads by key, and of queries that ask all partitions.</summary>
    public UnitShares SharesOn(int partitions)
    {
        double Units(Func<WorkloadKind, bool> isOne) => basis.Spec.Workload.Shares.Where(one => isOne(one.Kind))
            .Sum(one => one.Share * basis.ChargeOf(one.Kind, partitions));
        var all = Units(_ => true);
        var even = AsksAllPartitions ? Units(kind => kind == WorkloadKind.Query) : 0;
        return new((Units(WorkloadKinds.Reads) - even) / all, even / all);
    }

    /// <summary>The same trials with another basis, question or spread of the keys.</summary>
    public FleetTrials With(FleetBasis? otherBasis = null, SizeQuestion? otherQuestion = null, KeySpread? otherKeys = null) =>
        Create(otherBasis ?? basis, otherQuestion ?? question, otherKeys ?? keys, cancellationToken);

    private static FleetTrials Create(FleetBasis basis, SizeQuestion question, KeySpread keys, CancellationToken cancellationToken) =>
        new(basis.Storing(question.ExistingDocuments(basis.Spec)), question, keys, cancellationToken);

    /// <summary>
    /// The same trials of a load in the time that costs least. Hours that have begun are billed, so whole hours are compared. Of times that
    /// cost nearly the same the longest is taken, because its container keeps the fewest partitions.
    /// </summary>
    public FleetTrials InCheapestTime()
    {
        const int MostTimes = 48;
        const double Nearly = 1.05;
        if (question is not { Within: { } within, KeepsThroughput: false } || (question.Limit ?? within) is not { TotalHours: > 1 } limit)
            return this;
        var hours = Math.Floor(limit.TotalHours);
        var parts = Math.Min(hours, MostTimes);
        var times = Enumerable.Range(1, (int)parts).Select(part => TimeSpan.FromHours(Math.Round(part * hours / parts)))
            .Select(time => With(otherQuestion: question with
            {
                Within = time,
                Limit = limit,
                Rate = question.Rate * (within / time),
            }))
            .Where(one => one.Used <= ContainerSpec.MaxThroughput && one.CanBeSearched).Append(this)
            .Select(one => (Trials: one, Cost: one.LikelyCost())).ToList();
        return times.Last(one => one.Cost <= Nearly * times.Min(other => other.Cost)).Trials;
    }

    private bool CanBeSearched
    {
        get
        {
            var requests = question.Rate * basis.MeanOn(FewestPartitions, pages => pages.Pages);
            return requests <= MaxWholeRate || (keys.IsEven && !basis.Spec.Workload.UsesBulk && !AsksAllPartitions);
        }
    }

    private bool AsksAllPartitions => basis.Queries is { AsksOnePartition: false };

    /// <summary>Simulates a fleet at the rate. One that was tried is not simulated again.</summary>
    /// <param name="final">Whether the fleet may be the result. It is then simulated for longer and with another seed.</param>
    public TriedFleet Try(FleetSettings asked, bool final = false)
    {
        var settings = asked.Concurrency > 0 ? asked : asked with { Concurrency = AmpleConcurrency(asked) };
        if (_tried.TryGetValue(settings, out var known) && (known.IsConfirmed || !final))
            return known;
        var forecast = Simulate(settings, question.Rate, final);
        return _tried[settings] = new TriedFleet(
            settings, forecast, Unmet(forecast, question.Rate, slower: false), Unmet(forecast, question.Rate, slower: true),
            CostOf(settings))
        {
            IsConfirmed = final,
        };
    }

    /// <summary>
    /// The cost with about the fewest RU/s and workers that hold the rate, by arithmetic alone; infinite if no partitions can have the
    /// RU/s.
    /// </summary>
    public double LikelyCost()
    {
        var layouts = PartitionChoice.All(this);
        return layouts.Count == 0 ? double.PositiveInfinity : CostOf(new FleetSettings(
            basis.Spec.SettingsOf(0).ConnectionMode, Bulk: false, LeastWorkers, 1, (int)layouts[0].Likely, layouts[0].Partitions));
    }

    /// <summary>Workers that the CPU of the operations and the bytes of their documents take.</summary>
    public int LeastWorkers
    {
        get
        {
            var cpu = (basis.CpuMsPerAttempt ?? 0) / (1000.0 * FleetForecast.MaxClientShare * basis.Spec.Workload.DocumentsPerOperation);
            cpu *= basis.MeanOn(FewestPartitions, pages => pages.Pages);
            var sent = FleetSpecs.SentShareOf(basis.Spec.Workload) * basis.BytesPerDocument / FleetForecast.MaxSentPerCore;
            return (int)Math.Clamp(Math.Ceiling(question.Rate * Math.Max(cpu, sent) / CoresOfWorker), 1, RunSpec.MaxWorkers);
        }
    }

    public FleetForecast Simulate(FleetSettings settings, double rate, bool final = false)
    {
        var variant = basis.With(settings.Mode, settings.Bulk);
        var spec = variant.Spec with { Container = variant.Spec.Container with { Throughput = settings.Throughput } };
        var fleet = FleetSpecs.From(variant with { Spec = spec }, settings.Partitions, Keys);
        return FleetForecast.From(VirtualFleet.Simulate(
            fleet with
            {
                Workers = settings.Workers,
                Concurrency = settings.Concurrency,
                Connections = ConnectionsOf(spec, settings),
                Rate = rate / settings.Workers,
                Poisson = !question.EvenArrivals,
                // Burst credit is used up within minutes, and the rate must hold for longer.
                Burst = false,
                Duration = (final ? FinalDurationOf(rate) : TimeSpan.Zero) + DurationOf(rate),
                Warmup = final ? fleet.Warmup : Warmup,
                MaxOperations = final ? MaxFinalOperations : MaxOperations,
                Seed = final ? fleet.Seed + 1 : fleet.Seed,
            },
            cancellationToken), final);
    }

    /// <summary>Virtual time of a short simulation: long enough for some ten thousand operations, if that is not too long.</summary>
    private static TimeSpan DurationOf(double rate) =>
        TimeSpan.FromSeconds(rate > MaxWholeRate ? 4 : rate > 50_000 ? 7 : Math.Clamp(Math.Ceiling(40_000 / rate), 10, 1_000));

    private static TimeSpan FinalDurationOf(double rate) => rate > MaxWholeRate ? LargeFinalDuration : TimeSpan.FromSeconds(
        Math.Clamp(FinalOperations / rate, FinalDuration.TotalSeconds, MaxFinalDuration.TotalSeconds));

    /// <summary>What keeps a fleet from holding a rate, with the figures; null if it holds.</summary>
    /// <param name="slower">Whether latencies are longer than simulated by the model's own error.</param>
    public string? Unmet(FleetForecast forecast, double rate, bool slower)
    {
        if (!forecast.PromisesLatency)
        {
            var used = Numbers.PercentAbove(forecast.Utilization.Client!.Value, FleetForecast.MaxClientShare);
            return $"the clients use {used} of their cores, more than the {Numbers.Percent(FleetForecast.MaxClientShare)} up to which "
                + "latencies are promised";
        }

        if (forecast.SendsTooMuch)
        {
            return $"each worker sends {Numbers.Brief(forecast.SentPerSecond / 1e6)} MB/s, and {Words.Amount(forecast.Cores, "core")} "
                + $"{(forecast.Cores == 1 ? "has" : "have")} {Numbers.Brief(forecast.Cores * FleetForecast.MaxSentPerCore / 1e6)} MB/s";
        }

        if (forecast.Utilization.KeptSchedule != true)
            return $"{Numbers.Brief(forecast.PerSecond)} documents/s are done, and the schedule falls behind";
        var numbers = forecast.NumbersAt(rate, slower ? 1 + ModelError.Latency : 1, FleetForecast.KindsOf(basis.Spec));
        var unmet = question.Condition.DescribeUnmet(numbers);
        return unmet.Count == 0 ? null : string.Join(", ", unmet);
    }

    /// <summary>The cost of a month with the throughput bought in its cheapest way; of a load, that of the load.</summary>
    public double CostOf(FleetSettings settings) => BillOfLoad(settings)?.Total ?? MonthOf(settings).Total;

    /// <summary>Cores of each worker. A price is that of one.</summary>
    public int CoresOfWorker => basis.Spec.SettingsOf(0).Cores ?? 1;

    /// <summary>The bill of a month at the start, with the documents that are stored at the start.</summary>
    public MonthCost MonthOf(FleetSettings settings) => MonthOf(settings, Growth.GigabytesAtOnce);

    /// <param name="leastAutoscale">The fewest highest RU/s of autoscale, after a load that had RU/s; 0 without one.</param>
    public MonthCost MonthOf(FleetSettings settings, double gigabytes, int leastAutoscale = 0)
    {
        var trials = gigabytes == Growth.GigabytesAtOnce ? this : Storing(gigabytes);
        var use = trials.UseOf(settings.Partitions, gigabytes);
        var need = new MonthNeed(settings.Workers * CoresOfWorker, settings.Throughput, gigabytes)
        {
            // A container that has RU/s does not become serverless.
            Use = leastAutoscale > 0 ? use with { Used = null } : use,
            LeastAutoscale = leastAutoscale,
        };
        return MonthCost.From(question.Prices, need, question.Day, question.Plan);
    }

    /// <summary>The trials of the time when so much is stored: what queries find and how keys are split follow from it.</summary>
    /// <param name="onPartitions">Partitions that the container has then; null for those of the question.</param>
    public FleetTrials Storing(double gigabytes, int? onPartitions = null) => With(otherQuestion: question with
    {
        OnPartitions = onPartitions ?? question.OnPartitions,
        Existing = (long)(gigabytes * 1e9 / basis.BytesPerDocument),
        Retention = TimeSpan.Zero,
    });

    /// <summary>How the rate uses the throughput of a container with so many partitions and gigabytes.</summary>
    private ThroughputUse UseOf(int partitions, double gigabytes)
    {
        var shares = SharesOn(partitions);
        var loads = Keys.PartitionLoads(partitions, shares);
        var most = loads.Max();
        // A serverless container has as many partitions as its storage fills.
        var filled = Keys.PartitionsFor(gigabytes);
        var busiest = UsedOn(filled) * Keys.PartitionLoads(filled, SharesOn(filled)).Max();
        return new ThroughputUse
        {
            Loads = [.. loads.Select(one => one / most)],
            WriteShare = shares.Writes,
            Used = UsedOn(filled),
            OnPartitions = UsedOn(partitions),
            RandomUnits = question.EvenArrivals ? 0 : UnitsOfRandom(partitions),
            WhyNotServerless = busiest > ThroughputOffer.MaxServerlessUnits
                ? $"a partition needs {Numbers.Brief(busiest)} RU/s, and has at most "
                    + Numbers.Count((long)ThroughputOffer.MaxServerlessUnits)
                : gigabytes > ThroughputOffer.MaxServerlessGigabytes ? "a serverless container has at most 1 TB" : null,
        };
    }

    /// <summary>RU that an operation takes of one partition, weighted by the RU that each takes.</summary>
    private double UnitsOfRandom(int partitions)
    {
        var charges = basis.Spec.Workload.Shares.Select(one => (one.Share, Units: basis.ChargeOf(one.Kind, partitions),
            On: AsksAllPartitions && one.Kind == WorkloadKind.Query ? partitions : 1)).ToList();
        return basis.Spec.Workload.DocumentsPerOperation * charges.Sum(one => one.Share * one.Units * one.Units / one.On)
            / charges.Sum(one => one.Share * one.Units);
    }

    /// <summary>The cost of the load; null for a rate that stays.</summary>
    public LoadCost? BillOfLoad(FleetSettings settings) => question.Within is { } within
        ? LoadCost.From(
            question.Prices, settings, CoresOfWorker, new(basis.Spec.Documents, within), question.Plan,
            basis.Spec.Container.Autoscale) with
        {
            MaxSeconds = question.Limit is { } limit && limit > within ? limit.TotalSeconds : null,
        }
        : null;

    /// <summary>More operations in flight than a worker needs, so that they are not the limit.</summary>
    public int AmpleConcurrency(FleetSettings settings)
    {
        if (question.KeepsConcurrency)
            return basis.Spec.SettingsOf(0).Concurrency;
        var spec = basis.With(settings.Mode, settings.Bulk).Spec;
        const double Ample = 4;
        var serviceMs = RunEstimate.MedianServiceMs(basis.Latency, spec, spec.SettingsOf(0)) / RunEstimate.RequestsPerOperation(spec);
        var ms = basis.Latency.NetworkMs(settings.Mode) + serviceMs + basis.OverheadMs
            + (settings.Bulk ? RunEstimate.BulkFlushMs : 0) + ThrottledMs;
        ms *= basis.MeanOn(settings.Partitions, pages => pages.Rounds);
        var operations = question.Rate / settings.Workers / spec.Workload.DocumentsPerOperation * ms / 1000;
        return (int)Math.Clamp(Math.Ceiling(Ample * operations), 10, ClientSpec.MaxConcurrency);
    }

    /// <summary>A Gateway client needs a connection for each operation in flight; null in Direct.</summary>
    public static int? ConnectionsOf(RunSpec spec, FleetSettings settings) => settings.Mode == ConnectionMode.Gateway
        ? spec.Client.MaxConnections ?? Math.Max(RunEstimate.DefaultGatewayConnections, settings.Concurrency)
        : null;
}
