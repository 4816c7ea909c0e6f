using ScaleOut.Analysis.Reports.Building;

namespace ScaleOut.DevBox.Sizing;

/// <summary>
/// Looks for the fewest workers that hold a rate under a condition, then for the fewest RU/s, then for the fewest operations in flight, by
/// simulating fleets that share the rate evenly.
/// </summary>
/// <remarks>
/// A fleet holds the rate if it meets the condition with latencies that are longer by <see cref="ModelError.Latency"/>, keeps its
/// schedule, and uses at most <see cref="FleetForecast.MaxClientShare"/> of its clients' cores.
/// </remarks>
internal sealed class FleetSearch
{
    /// <summary>Most documents a second of fleets that are simulated as a whole.</summary>
    private const double MaxWholeRate = 100_000;

    private const long MaxOperations = 250_000;
    private const long MaxFinalOperations = 1_000_000;
    private const int ThroughputStep = 100;

    /// <summary>Factor on the operations in flight that are needed. A slower account needs more, and spare ones cost nothing.</summary>
    private const int SpareInFlight = 2;

    /// <summary>How often a fleet that fails its second simulation is made larger.</summary>
    private const int MaxEnlargements = 6;

    /// <summary>Precision of the number of workers of large fleets, as a share.</summary>
    private const double Fineness = 0.01;

    /// <summary>If clients use less of their cores than this share, more workers do not help.</summary>
    private const double IdleClientShare = MaxShare / 3;

    private const double MaxShare = FleetForecast.MaxClientShare;

    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(20);

    private static readonly double[] Headrooms = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6];

    private static readonly int[] InFlight =
        [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000];

    private readonly FleetBasis _basis;
    private readonly SizeQuestion _question;
    private readonly KeySpread _keys;
    private readonly Dictionary<FleetSettings, TriedFleet> _tried = [];

    private FleetSearch(FleetBasis basis, SizeQuestion question, KeySpread keys) => (_basis, _question, _keys) = (basis, question, keys);

    /// <summary>Sizes the fleet for a rate, and says what the result depends on.</summary>
    /// <exception cref="InputException">No container has the RU/s, or the fleet is too large to simulate.</exception>
    public static SizeResult Find(FleetBasis basis, SizeQuestion question)
    {
        var searches = Search(basis, question);
        var best = BestOf(searches);
        return best.Search.Describe(
            best.Found, [.. searches.Where(one => one.Search != best.Search).SelectMany(one => one.Search._tried.Values)]);
    }

    /// <summary>The smallest fleet that holds the rate; null if none does.</summary>
    /// <inheritdoc cref="Find"/>
    public static FleetSettings? FindSmallest(FleetBasis basis, SizeQuestion question) =>
        BestOf(Search(basis, question)).Found?.Settings;

    private static List<(FleetSearch Search, TriedFleet? Found)> Search(FleetBasis basis, SizeQuestion question)
    {
        var keys = KeySpread.From(basis.Spec);
        if (question.Rate > MaxWholeRate && (basis.Spec.Workload.UsesBulk || !keys.IsEven))
        {
            throw new InputException(
                $"--rate: in bulk, and with keys that documents share, no fleet above {Numbers.Brief(MaxWholeRate)} documents a second is "
                    + "looked for; --workers simulates one.");
        }

        // Throws before anything is simulated.
        Throughputs(basis, question);
        return
        [
            .. Variants(basis, question).AsParallel().AsOrdered().Select(variant =>
            {
                var search = new FleetSearch(basis, question, keys);
                return (search, search.Smallest(variant.Mode, variant.Bulk));
            }),
        ];
    }

    private static (FleetSearch Search, TriedFleet? Found) BestOf(List<(FleetSearch Search, TriedFleet? Found)> searches) => searches
        .OrderBy(one => one.Found?.Settings.Workers ?? int.MaxValue).ThenBy(one => one.Found?.Cost)
        .ThenBy(one => one.Found?.Forecast.OperationMs.P99).First();

    private static IEnumerable<(ConnectionMode Mode, bool Bulk)> Variants(FleetBasis basis, SizeQuestion question)
    {
        var own = (basis.Spec.SettingsOf(0).ConnectionMode, basis.Spec.Workload.UsesBulk);
        yield return own;
        if (!question.KeepsMode)
            yield return (own.ConnectionMode == ConnectionMode.Direct ? ConnectionMode.Gateway : ConnectionMode.Direct, own.UsesBulk);
        // A bulk request waits up to its timer for more operations.
        var allowsBulk = !(question.Condition.LatencyBoundMs <= RunEstimate.BulkFlushMs);
        if (!question.KeepsWorkload && basis.Spec.Workload.Kind == WorkloadKind.Insert && allowsBulk && question.Rate <= MaxWholeRate)
            yield return (own.ConnectionMode, true);
    }

    /// <summary>The smallest fleet of a mode; null if none holds the rate.</summary>
    private TriedFleet? Smallest(ConnectionMode mode, bool bulk)
    {
        var throughputs = Throughputs(_basis, _question);
        var amplest = new FleetSettings(mode, bulk, 1, 0, throughputs[^1]);
        if (FewestWorkers(amplest) is not { } workers)
            return null;
        for (var i = 0; i < MaxEnlargements; i++)
        {
            var settings = amplest with { Workers = workers };
            var throughput = First(throughputs, one => Try(settings with { Throughput = one }).Holds);
            settings = settings with { Throughput = throughput };
            if (!_question.KeepsConcurrency)
            {
                var inFlight = InFlight.Where(one => one < AmpleConcurrency(settings)).Append(AmpleConcurrency(settings)).ToList();
                var fewest = First(inFlight, one => Try(settings with { Concurrency = one }).Holds);
                settings = settings with { Concurrency = inFlight.FirstOrDefault(one => one >= SpareInFlight * fewest, inFlight[^1]) };
            }

            // The result may be luck, so a second, longer simulation with another seed decides.
            var again = Try(settings, final: true);
            if (again.Holds)
                return again;
            if (throughput < throughputs[^1])
                throughputs = [.. throughputs.Where(one => one > throughput)];
            else
                workers++;
        }

        return null;
    }

    /// <summary>RU/s to try, ascending.</summary>
    private static List<int> Throughputs(FleetBasis basis, SizeQuestion question)
    {
        if (question.KeepsThroughput)
            return [basis.Spec.Container.Throughput];
        var used = question.Rate * basis.ChargePerDocument;
        var needed = (question.Headroom is { } given ? [given] : Headrooms)
            .Select(spare => Math.Max(ContainerSpec.MinThroughput, Math.Ceiling(used / (1 - spare) / ThroughputStep) * ThroughputStep))
            .Distinct().ToList();
        return needed[0] <= ContainerSpec.MaxThroughput
            ? [.. needed.Where(one => one <= ContainerSpec.MaxThroughput).Select(one => (int)one)]
            : throw new InputException(
                $"--rate: {Numbers.Brief(question.Rate)} documents a second need {Numbers.Brief(needed[0])} RU/s, and a container has at "
                    + $"most {Numbers.Count(ContainerSpec.MaxThroughput)}.");
    }

    /// <summary>The fewest workers that hold the rate, but for <see cref="Fineness"/>; null if no number of them does.</summary>
    private int? FewestWorkers(FleetSettings settings)
    {
        TriedFleet Of(int workers) => Try(settings with { Workers = workers });
        var cores = _basis.Spec.SettingsOf(0).Cores ?? 1;
        var byCpu = _question.Rate * (_basis.CpuMsPerAttempt ?? 0)
            / (1000.0 * cores * MaxShare * _basis.Spec.Workload.DocumentsPerOperation);
        var (low, high, step) = (0, (int)Math.Clamp(Math.Ceiling(byCpu), 1, RunSpec.MaxWorkers), 1);
        for (var tried = Of(high); !tried.Holds; tried = Of(high))
        {
            // More workers do not help if the account or the condition is the limit.
            var isIdle = tried.Forecast.Utilization is { KeptSchedule: true } used && !(used.Client > IdleClientShare);
            if (high == RunSpec.MaxWorkers || isIdle || tried.Forecast.BoundBy is BoundBy.RequestUnits or BoundBy.Partition)
                return null;
            (low, high, step) = (high, Math.Min(high + step, RunSpec.MaxWorkers), 2 * step);
        }

        // The estimate by the CPU is mostly right, so the search begins just below it.
        if (low == 0 && high > 1 && Of(high - 1).Holds)
            high--;
        else if (low == 0)
            low = high - 1;
        while (high - low > Math.Max(1, Fineness * high))
        {
            var middle = low + ((high - low) / 2);
            if (Of(middle).Holds)
                high = middle;
            else
                low = middle;
        }

        return high;
    }

    /// <summary>The first value that holds, by halving; the last one if no other does.</summary>
    private static int First(List<int> values, Func<int, bool> holds)
    {
        var (low, high) = (-1, values.Count - 1);
        while (high - low > 1)
        {
            var middle = low + ((high - low) / 2);
            if (holds(values[middle]))
                high = middle;
            else
                low = middle;
        }

        return values[high];
    }

    /// <summary>More operations in flight than a worker needs, so that they are not the limit.</summary>
    private int AmpleConcurrency(FleetSettings settings)
    {
        if (_question.KeepsConcurrency)
            return _basis.Spec.SettingsOf(0).Concurrency;
        var spec = _basis.With(settings.Mode, settings.Bulk).Spec;
        const double Ample = 4;
        var ms = _basis.Latency.WayMs(settings.Mode) + RunEstimate.MedianServiceMs(_basis.Latency, spec, spec.SettingsOf(0))
            + _basis.OverheadMs + (settings.Bulk ? RunEstimate.BulkFlushMs : 0);
        var operations = _question.Rate / settings.Workers / spec.Workload.DocumentsPerOperation * ms / 1000;
        return (int)Math.Clamp(Math.Ceiling(Ample * operations), 10, ClientSpec.MaxConcurrency);
    }

    /// <summary>Simulates a fleet at the rate. One that was tried is not simulated again.</summary>
    /// <param name="final">Whether the fleet may be the result. It is then simulated for longer and with another seed.</param>
    private TriedFleet Try(FleetSettings asked, bool final = false)
    {
        var settings = asked.Concurrency > 0 ? asked : asked with { Concurrency = AmpleConcurrency(asked) };
        if (!final && _tried.TryGetValue(settings, out var known))
            return known;
        var forecast = Simulate(settings, _question.Rate, final: final);
        return _tried[settings] = new TriedFleet(settings, forecast, UnmetBy(forecast, _question.Rate), CostOf(settings).Total);
    }

    private FleetForecast Simulate(
        FleetSettings settings, double rate, double cpuFactor = 1, double latencyFactor = 1, bool final = false)
    {
        var basis = _basis.With(settings.Mode, settings.Bulk);
        var spec = basis.Spec with { Container = basis.Spec.Container with { Throughput = settings.Throughput } };
        var fleet = FleetSpecs.From(basis with { Spec = spec }, RunEstimate.PartitionsOf(spec, basis.BytesPerDocument), _keys);
        return FleetForecast.From(VirtualFleet.Simulate(fleet with
        {
            Workers = settings.Workers,
            Concurrency = settings.Concurrency,
            Connections = ConnectionsOf(spec, settings),
            Rate = rate / settings.Workers,
            CpuMsPerAttempt = fleet.CpuMsPerAttempt * cpuFactor,
            Latency = Longer(fleet.Latency, latencyFactor),
            // Burst credit is used up within minutes, and the rate must hold for longer.
            Burst = false,
            Duration = final ? 4 * Duration : Duration,
            MaxOperations = final ? MaxFinalOperations : MaxOperations,
            Seed = final ? fleet.Seed + 1 : fleet.Seed,
        }));
    }

    private static LatencyProfile Longer(LatencyProfile latency, double factor) => factor == 1 ? latency : latency with
    {
        Name = null,
        RoundTripMs = latency.RoundTripMs * factor,
        GatewayHopMs = latency.GatewayHopMs * factor,
        WriteMedianMs = latency.WriteMedianMs * factor,
        ReadMedianMs = latency.ReadMedianMs * factor,
        PerKilobyteMs = latency.PerKilobyteMs * factor,
        PerBatchOperationMs = latency.PerBatchOperationMs * factor,
        WriteQuantiles = latency.WriteQuantiles?.Select(one => one with { Ms = one.Ms * factor }).ToList(),
        ReadQuantiles = latency.ReadQuantiles?.Select(one => one with { Ms = one.Ms * factor }).ToList(),
    };

    /// <summary>A Gateway client needs a connection for each operation in flight; null in Direct.</summary>
    public static int? ConnectionsOf(RunSpec spec, FleetSettings settings) => settings.Mode == ConnectionMode.Gateway
        ? spec.Client.MaxConnections ?? Math.Max(RunEstimate.DefaultGatewayConnections, settings.Concurrency)
        : null;

    private MonthCost CostOf(FleetSettings settings) => MonthCost.From(
        _question.Prices, settings.Workers, settings.Throughput, _basis.Spec.Documents, _basis.BytesPerDocument);

    /// <summary>What keeps a fleet from holding a rate; null if it holds.</summary>
    private string? UnmetBy(FleetForecast forecast, double rate)
    {
        if (!forecast.PromisesLatency)
            return $"the clients use {Numbers.Percent(forecast.Utilization.Client)} of their cores";
        if (forecast.Utilization.KeptSchedule != true)
            return $"the schedule is not kept: {Numbers.Brief(forecast.PerSecond)} documents/s";
        var unmet = _question.Condition.Unmet(forecast.NumbersAt(rate, 1 + ModelError.Latency));
        return unmet.Count == 0 ? null : $"not {string.Join(", not ", unmet)}";
    }

    private SizeResult Describe(TriedFleet? best, IEnumerable<TriedFleet> others)
    {
        var shown = best
            ?? _tried.Values.OrderByDescending(one => one.Forecast.PerSecond).ThenBy(one => one.Forecast.OperationMs.P99).First();
        var around = best is null ? [] : Around(best.Settings);
        var load = best is null ? null : LoadOf(best);
        return new SizeResult
        {
            Rate = _question.Rate,
            Until = _question.Condition.Text,
            Reached = best is not null,
            Unmet = shown.Unmet,
            Settings = shown.Settings,
            Fleet = shown.Forecast,
            Cost = CostOf(shown.Settings),
            Load = load,
            Frontier = [.. Shown(others.Concat(around).Append(shown))],
            Dependences = best is null ? [] : DependencesOf(best),
            Basis = _basis.Figures,
            IsReal = _basis.IsReal,
            LatencyBoundMs = _question.Condition.LatencyBoundMs,
            Notes = [.. NotesOf(shown.Settings), .. _basis.Notes, .. FleetSpecs.LeftOutOf(_basis.Spec)],
        };
    }

    /// <summary>The fleets near the result, each with the fewest RU/s that hold the rate.</summary>
    private IEnumerable<TriedFleet> Around(FleetSettings best)
    {
        var throughputs = Throughputs(_basis, _question);
        int[] workers = [best.Workers - 1, best.Workers + 1, 2 * best.Workers];
        foreach (var number in workers.Where(one => one is >= 1 and <= RunSpec.MaxWorkers).Distinct())
        {
            var settings = best with { Workers = number, Concurrency = 0 };
            yield return Try(settings with { Throughput = First(throughputs, one => Try(settings with { Throughput = one }).Holds) });
        }

        foreach (var throughput in throughputs)
            yield return Try(best with { Throughput = throughput });
    }

    private static IEnumerable<TriedFleet> Shown(IEnumerable<TriedFleet> fleets) => fleets
        .DistinctBy(one => one.Settings)
        .OrderBy(one => one.Settings.Mode).ThenBy(one => one.Settings.Bulk).ThenBy(one => one.Settings.Workers)
        .ThenBy(one => one.Settings.Throughput).ThenBy(one => one.Settings.Concurrency);

    private FleetLoad LoadOf(TriedFleet best)
    {
        const double Width = 0.02;
        var doubled = Simulate(best.Settings, 2 * _question.Rate);
        var (low, high, breaks, unmet) = (1.0, 2.0, doubled, UnmetBy(doubled, 2 * _question.Rate));
        while (unmet is not null && high - low > Width)
        {
            var middle = (low + high) / 2;
            var forecast = Simulate(best.Settings, middle * _question.Rate);
            if (UnmetBy(forecast, middle * _question.Rate) is { } some)
                (high, breaks, unmet) = (middle, forecast, some);
            else
                low = middle;
        }

        return unmet is null
            ? new FleetLoad(2 * _question.Rate, null, null, doubled)
            : new FleetLoad(low * _question.Rate, WhatBreaks(breaks), unmet, doubled);
    }

    /// <summary>Names the cause of what <see cref="UnmetBy"/> reports, in the same order.</summary>
    private static string WhatBreaks(FleetForecast forecast) => forecast.BoundBy switch
    {
        _ when !forecast.PromisesLatency => "the clients' CPU",
        BoundBy.RequestUnits => "the RU/s",
        BoundBy.Partition => "one physical partition",
        BoundBy.Latency => "the operations in flight",
        _ => "the condition",
    };

    /// <summary>What the result would be if the figures that it rests on were different.</summary>
    private List<Dependence> DependencesOf(TriedFleet best)
    {
        var result = new List<Dependence>();
        if (_basis.CpuMsPerAttempt is > 0 and var cpu)
        {
            foreach (var factor in new[] { 0.5, 2 })
            {
                var search = new FleetSearch(_basis with { CpuMsPerAttempt = cpu * factor }, _question, _keys);
                var workers = search.FewestWorkers(best.Settings with { Concurrency = 0 });
                result.Add(new Dependence(
                    $"CPU of an operation {Numbers.Brief(cpu * factor)} ms ({(factor < 1 ? "half" : "twice")})",
                    $"{(workers is { } some ? Words.Amount(some, "worker") : "no fleet")} {(workers > 1 ? "hold" : "holds")} the rate"));
            }
        }

        const double Longer = 1.5;
        var far = Simulate(best.Settings, _question.Rate, latencyFactor: Longer);
        result.Add(new Dependence(
            $"the account's latency {Numbers.Brief(Longer)} times as long",
            $"p99 {Numbers.Brief(far.OperationMs.P99)} ms: {UnmetBy(far, _question.Rate) ?? "the fleet holds the rate"}"));
        const double Dearer = 1.2;
        result.Add(new Dependence(
            $"a document of {Numbers.Brief(_basis.ChargePerDocument * Dearer)} RU ({Numbers.Brief(Dearer)} times)",
            $"{Numbers.Count((long)Math.Ceiling(best.Settings.Throughput * Dearer / ThroughputStep) * ThroughputStep)} RU/s"));
        return result;
    }

    private IEnumerable<string> NotesOf(FleetSettings shown)
    {
        var (spec, cores) = (_basis.Spec, _basis.Spec.SettingsOf(0).Cores ?? 1);
        yield return $"A fleet holds the rate if the condition holds with latencies {Numbers.Percent(ModelError.Latency)} longer than "
            + $"simulated, its clients use at most {Numbers.Percent(MaxShare)} of their cores, and no operation begins a second late.";
        yield return $"Workers with more than {Words.Amount(cores, "core")} are not looked for.";
        if (shown.Bulk && !spec.Workload.UsesBulk)
            yield return "The CPU of an operation was measured without bulk, where it is dearer.";
        if (shown.Mode != spec.SettingsOf(0).ConnectionMode)
            yield return $"The CPU of an operation was measured in {spec.SettingsOf(0).ConnectionMode} mode.";
        yield return $"Storage is that of {Numbers.Count(spec.Documents)} documents, without their index; --documents states others. A day "
            + $"at the rate writes {Numbers.Brief(_question.Rate * 86_400 * _basis.BytesPerDocument / 1e9)} GB.";
        if (spec.Client.Rate is not null)
            yield return "client.rate of the spec is replaced by each worker's share of the rate.";
        if (spec.Simulation?.Burst == true)
            yield return "Burst capacity is left out, because the rate is to be held.";
    }
}
