namespace ScaleOut.Sizing;

/// <summary>Makes the result of a search: the fleet, its margin and growth, what it depends on, and what helps if none holds.</summary>
/// <param name="trials">Those of the search.</param>
/// <param name="best">The fleet that was found; null if none holds the rate.</param>
internal sealed class SizeResultBuilder(FleetTrials trials, TriedFleet? best)
{
    /// <summary>Prefixes of the key values. With another prefix a key has another hash, and so another partition.</summary>
    private static readonly IReadOnlyList<string> Names = [.. "abcdefghijklmn".Select(letter => $"{letter}-")];

    private const double ChargeFactor = 1.2;
    private const double Slower = 1.5;

    /// <summary>A measurement of one worker: minutes, and spare RU/s so that nothing is throttled.</summary>
    private const double MeasurementMinutes = 10;
    private const double MeasurementRoom = 1.5;

    private SizeQuestion Question => trials.Question;

    private bool Autoscale => Basis.Spec.Container.Autoscale;

    private FleetBasis Basis => trials.Basis;

    private string Currency => Question.Prices.Currency;

    public SizeResult Build()
    {
        var shown = best ?? Nearest();
        var load = trials.BillOfLoad(shown.Settings);
        var (margin, growth, after, doubled) = ((SizeMargin?)null, trials.Growth, (TriedFleet?)null, (FleetLoad?)null);
        IReadOnlyList<Dependence> dependences = [];
        if (best is not null)
        {
            // Each of them is a search of its own.
            Parallel.Invoke(
                new ParallelOptions { CancellationToken = trials.Cancellation },
                () => dependences = Dependences(),
                () => margin = MarginOf(best),
                () => growth = new GrowingFleet(trials, best).Grown(),
                () => after = load is null ? null : Afterwards(best.Settings),
                () => doubled = load is null ? BreakingRateOf(best) : null);
        }

        var grown = best is null || load is not null ? null : new GrowingFleet(trials, best);
        return new SizeResult
        {
            Rate = Question.Rate,
            Until = Question.Condition.Text,
            Reached = best is not null && growth.FullKey is null,
            Unmet = best is null ? WhyNot(shown) : growth.FullKey?.Text,
            WouldHelp = [.. Help(best, shown, growth)],
            Settings = shown.Settings,
            Fleet = shown.Forecast,
            ConnectionsPerWorker = SizeConnections.PerWorker(Basis.Spec, shown.Settings),
            Cost = MonthOf(shown.Settings, load, after),
            Plan = Question.Plan,
            GrownCost = grown?.CostOf(growth),
            CostByMonth = [.. grown?.MonthsOf(growth) ?? []],
            Margin = margin,
            Load = doubled,
            Growth = growth,
            LoadCost = load is null ? null : WithRateAfterwards(load, shown.Settings, after),
            Frontier = [.. Shown(trials.Tried, shown)],
            Dependences = dependences,
            Measurement = MeasurementOf(shown.Settings),
            Basis = [.. Basis.Figures, .. QueriesOf(shown.Settings.Partitions, growth)],
            IsReal = Basis.IsReal,
            LatencyBoundMs = Question.Condition.LatencyBoundMs,
            Notes = [.. SizeNotes.Of(trials, shown.Settings), .. Basis.Notes, .. FleetSpecs.LeftOutOf(Basis.Spec)],
        };
    }

    /// <summary>The fleet that came nearest: one that keeps its schedule, then the one that does most, then the fastest.</summary>
    private TriedFleet Nearest()
    {
        if (trials.Tried.Count == 0)
        {
            var spec = Basis.Spec;
            var partitions = trials.Growth.PartitionsAtOnce;
            var throughput = Question.KeepsThroughput
                ? spec.Container.Throughput
                : StorageNeeds.RoundUp(
                    Math.Min(trials.Used, partitions * (double)SimulationSpec.MaxRequestUnitsPerPartition), spec.Container.Autoscale);
            partitions = Math.Max(partitions, PartitionChoice.CreatedWith(trials, throughput));
            trials.Try(new FleetSettings(spec.SettingsOf(0).ConnectionMode, spec.Workload.UsesBulk, 1, 0, throughput, partitions));
        }

        return trials.Tried.OrderByDescending(one => one.Forecast.PromisesLatency && one.Forecast.Utilization.KeptSchedule == true)
            .ThenByDescending(one => Math.Round(one.Forecast.PerSecond / Question.Rate, 2))
            .ThenBy(one => one.Forecast.ThrottledShare > 0.01).ThenBy(one => one.Forecast.OperationMs.P99).ThenBy(one => one.Cost).First();
    }

    private SizeMargin MarginOf(TriedFleet best)
    {
        if (best.UnmetIfSlower is null)
            return new SizeMargin(best, 0, null);
        var slower = new FleetSearch(trials, slower: true).Cheapest();
        return slower is null
            ? new SizeMargin(null, null, best.UnmetIfSlower)
            : new SizeMargin(slower, Math.Round(slower.Cost - best.Cost, 2), null);
    }

    /// <summary>The trials of the rate after a load, on the partitions that stay.</summary>
    private FleetTrials TrialsAfterwards(FleetSettings loaded) => trials.With(otherQuestion: Question with
    {
        Rate = Question.RateAfterwards,
        Within = null,
        OnPartitions = loaded.Partitions,
        KeepsThroughput = false,
        Existing = Basis.Spec.Documents,
        Retention = TimeSpan.Zero,
    });

    /// <summary>The fleet of the rate after a load; null if nothing is known of that rate.</summary>
    private TriedFleet? Afterwards(FleetSettings loaded) =>
        Question.RateAfterwards <= 0 ? null : new FleetSearch(TrialsAfterwards(loaded)).Cheapest();

    /// <summary>The cost of a load with the RU/s that its container goes back to.</summary>
    private LoadCost WithRateAfterwards(LoadCost load, FleetSettings loaded, TriedFleet? after)
    {
        var least = LeastAfterwards(loaded, Autoscale);
        if (Question.RateAfterwards <= 0)
            return load with { ThroughputAfterwards = least, Because = "no container that had these RU/s can have fewer" };
        var rate = $"{Numbers.Brief(Question.RateAfterwards)} documents/s";
        return load with
        {
            RateAfterwards = Question.RateAfterwards,
            ThroughputAfterwards = after is null ? null : Math.Max(least, after.Settings.Throughput),
            Because = after is null ? $"no RU/s hold {rate} on {Words.Amount(loaded.Partitions, "partition")}"
                : after.Settings.Throughput >= least ? $"{rate} on {Words.Amount(loaded.Partitions, "partition")} take them"
                : "no container that had these RU/s can have fewer",
        };
    }

    /// <summary>What the storage demands, and a hundredth of the most RU/s; of autoscale a tenth.</summary>
    private int LeastAfterwards(FleetSettings loaded, bool autoscale) => Math.Max(
        StorageNeeds.MinThroughput(trials.Growth.Gigabytes, autoscale),
        StorageNeeds.RoundUp(loaded.Throughput / (autoscale ? 10.0 : 100.0), autoscale));

    private MonthCost MonthOf(FleetSettings settings, LoadCost? load, TriedFleet? after) => load is null
        ? trials.MonthOf(settings)
        : TrialsAfterwards(settings).MonthOf(
            settings with
            {
                Workers = after?.Settings.Workers ?? 0,
                Throughput = Math.Max(LeastAfterwards(settings, autoscale: false), after?.Settings.Throughput ?? 0),
            },
            trials.Growth.Gigabytes, LeastAfterwards(settings, autoscale: true));

    private static IEnumerable<TriedFleet> Shown(IEnumerable<TriedFleet> fleets, TriedFleet shown) => fleets
        .Select(one => one with { IsChosen = one.Settings == shown.Settings })
        .OrderBy(one => one.Settings.Mode).ThenBy(one => one.Settings.Bulk).ThenBy(one => one.Cost).ThenBy(one => one.Settings.Workers)
        .ThenBy(one => one.Settings.Partitions).ThenBy(one => one.Settings.Concurrency);

    /// <summary>The rate at which the fleet does not hold any more, up to twice the rate that was asked for.</summary>
    private FleetLoad BreakingRateOf(TriedFleet best)
    {
        const double Width = 0.04;
        string? UnmetAt(FleetForecast forecast, double factor) => trials.Unmet(forecast, factor * Question.Rate, slower: false);
        var doubled = trials.Simulate(best.Settings, 2 * Question.Rate);
        var (low, high, breaks, unmet) = (1.0, 2.0, doubled, UnmetAt(doubled, 2));
        while (unmet is not null && high - low > Width)
        {
            var middle = (low + high) / 2;
            var forecast = trials.Simulate(best.Settings, middle * Question.Rate);
            if (UnmetAt(forecast, middle) is { } some)
                (high, breaks, unmet) = (middle, forecast, some);
            else
                low = middle;
        }

        return unmet is null
            ? new FleetLoad(2 * Question.Rate, null, null, doubled)
            : new FleetLoad(low * Question.Rate, WhatBreaks(breaks), unmet, doubled);
    }

    /// <summary>Names the cause of what <see cref="FleetTrials.Unmet"/> reports, in the same order.</summary>
    private static string WhatBreaks(FleetForecast forecast) => forecast.BoundBy switch
    {
        _ when !forecast.PromisesLatency => Words.From(BoundBy.Client),
        _ when forecast.SendsTooMuch => "the workers' network",
        BoundBy.RequestUnits or BoundBy.Partition or BoundBy.Latency => Words.From(forecast.BoundBy),
        _ when forecast.ThrottledShare > 0 => Words.From(BoundBy.RequestUnits),
        _ => "the condition",
    };

    /// <summary>Asks the same question again, with other figures.</summary>
    private List<Dependence> Dependences()
    {
        var cpu = Basis.CpuMsPerAttempt ?? 0;
        (DependsOn On, string If, FleetTrials Trials)[] others =
        [
            .. new[] { 0.5, 2 }.Where(_ => cpu > 0).Select(factor => (
                DependsOn.Cpu,
                $"CPU of an operation {Numbers.Brief(cpu * factor)} ms ({(factor < 1 ? "half" : "twice")})",
                trials.With(Basis with { CpuMsPerAttempt = cpu * factor }))),
            (DependsOn.Latency, $"the account's latency {Numbers.Brief(Slower)} times as long",
                trials.With(Basis with { Latency = Longer(Basis.Latency, Slower) })),
            (DependsOn.Charge,
                $"a document of {Numbers.Brief(Basis.ChargePerDocument * ChargeFactor)} RU ({Numbers.Brief(ChargeFactor)} times)",
                trials.With(Basis with { ChargePerDocument = Basis.ChargePerDocument * ChargeFactor })),
            .. new[] { Question with { EvenArrivals = true } }.Where(other => other != Question).Select(other => (
                DependsOn.Arrivals, "operations at even distances (--arrivals even)", trials.With(otherQuestion: other))),
            .. OtherKeys(),
        ];
        return
        [
            .. others.AsParallel().AsOrdered().WithCancellation(trials.Cancellation).Select(other =>
            {
                var (again, fleet) = FleetSearch.InCheapestTime(other.Trials);
                var then = fleet is null ? NoneHolds(again) : SizeSentences.Describe(fleet, Currency, again.Question.Within);
                return new Dependence(other.On, other.If, then, fleet);
            }),
        ];
    }

    /// <summary>
    /// Keys of other names, the luckiest and the unluckiest of some, and keys that documents do not share. The hash of a key's text decides
    /// which keys are on one partition.
    /// </summary>
    private IEnumerable<(DependsOn On, string If, FleetTrials Trials)> OtherKeys()
    {
        if (trials.Keys.IsEven)
            yield break;
        var named = Names.Select(name => (Name: name, Trials: trials.With(otherKeys: trials.Keys.Beginning(name))))
            .OrderBy(one => one.Trials.LikelyCost()).ToList();
        foreach (var (name, other) in new[] { named[0], named[^1] })
        {
            yield return (
                DependsOn.KeyNames,
                $"keys that begin with \"{name}\", the {(name == named[0].Name ? "" : "un")}luckiest of {Names.Count} names", other);
        }

        yield return (DependsOn.EvenKeys, "a key of its own for each document", trials.With(otherKeys: KeySpread.Even));
    }

    /// <summary>What a query costs today, and with all that is kept.</summary>
    private IEnumerable<BasisFigure> QueriesOf(int partitions, StorageGrowth growth)
    {
        if (QuerySample.FigureOf(SizeSentences.QueryName, Basis, Basis.Stored, partitions) is not { } today)
            yield break;
        yield return today;
        var grown = growth.Gigabytes * 1e9 / Basis.BytesPerDocument;
        if (growth.Adds)
        {
            yield return QuerySample.FigureOf(
                $"{SizeSentences.QueryName}, once grown", Basis, grown, growth.Fleet?.Settings.Partitions ?? partitions)!;
        }
    }

    private static string NoneHolds(FleetTrials again)
    {
        var nearest = again.Tried.OrderByDescending(one => one.Forecast.PerSecond).ThenBy(one => one.Forecast.OperationMs.P99)
            .FirstOrDefault();
        return $"no fleet holds the rate{(nearest?.Unmet is { } unmet ? $": {unmet}" : "")}";
    }

    internal static LatencyProfile Longer(LatencyProfile latency, double factor) => latency with
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

    private string WhyNot(TriedFleet shown) => TooBusyKey() is { } key
        ? $"{Basis.Spec.Container.KeyPathsFor(Basis.Spec.Document)[0]} {ErrorText.Quote(key.Key.Value)} alone needs "
            + $"{Numbers.Brief(key.Units)} RU/s, and a physical partition has at most "
            + $"{Numbers.Count(SimulationSpec.MaxRequestUnitsPerPartition)}"
        : shown.Unmet ?? "a second, longer simulation of the fleet does not hold the condition";

    /// <summary>The key that needs more RU/s than a physical partition can have; null if there is none.</summary>
    private (BusyKey Key, double Units)? TooBusyKey()
    {
        var shares = trials.SharesOn(1);
        var keys = trials.Keys;
        (BusyKey? Key, double Share)[] busy = Question.ReadSkew is null
            ? [(keys.Busiest, (keys.Busiest?.LeastShare ?? 0) * (1 - shares.Even))]
            : [
                (keys.Busiest, (keys.Busiest?.LeastShare ?? 0) * shares.Writes),
                (keys.MostRead, (keys.MostRead?.LeastShare ?? 0) * shares.Reads),
            ];
        var most = busy.MaxBy(one => one.Share);
        var units = most.Share * trials.Used;
        return most.Key is not null && units > SimulationSpec.MaxRequestUnitsPerPartition ? (most.Key, units) : null;
    }

    private IEnumerable<string> Help(TriedFleet? best, TriedFleet shown, StorageGrowth growth)
    {
        var path = Basis.Spec.Container.KeyPathsFor(Basis.Spec.Document)[0];
        if (growth.FullKey is { } full)
            yield return full.Advice;
        if (best is not null)
            yield break;
        if (TooBusyKey() is { } key)
        {
            var where = Basis.Spec.Container.PartitionKeyPaths is null ? "" : " at its first level";
            yield return $"A partition key with more values{where}: up to "
                + $"{Numbers.Brief(Question.Rate * SimulationSpec.MaxRequestUnitsPerPartition / key.Units)} documents/s of this load hold "
                + $"with {path}. Further levels of a hierarchical key help only once a value of {path} has 50 GB: until then it is on one "
                + "physical partition.";
        }

        if (Question is { Within: not null, KeepsThroughput: true })
        {
            var seconds = Basis.Spec.Documents * Basis.ChargePerDocument / Basis.Spec.Container.Throughput;
            yield return $"More time: the load takes {Numbers.About(seconds)} or more on "
                + $"{Numbers.Count(Basis.Spec.Container.Throughput)} RU/s.";
        }

        (string What, bool Applies, SizeQuestion Relaxed)[] relaxed =
        [
            ("other RU/s", Question.KeepsThroughput, Question with { KeepsThroughput = false }),
            ("other operations in flight", Question.KeepsConcurrency, Question with { KeepsConcurrency = false }),
            ("another connection mode", Question.KeepsMode, Question with { KeepsMode = false }),
        ];
        foreach (var (what, _, question) in relaxed.Where(one => one.Applies))
        {
            if (new FleetSearch(trials.With(otherQuestion: question)).Cheapest() is { } fleet)
                yield return $"With {what}: {SizeSentences.Describe(fleet, Currency, Question.Within)}.";
        }

        if (shown.Forecast is { PromisesLatency: false })
            yield return "More cores for each worker (--cores), or less CPU for each operation.";
        else if (Question.Condition.LatencyBoundMs is { } bound && shown.Forecast.OperationMs.P99 > bound)
        {
            yield return $"A bound above {Numbers.Brief(shown.Forecast.OperationMs.P99)} ms for the p99: that is the nearest fleet's. A "
                + "shorter way to the account, or smaller documents, shorten it; more RU/s and workers hardly do.";
        }
    }

    /// <summary>One worker with its share of the rate on a real account; the whole fleet if that was measured already.</summary>
    private SizeMeasurement MeasurementOf(FleetSettings settings)
    {
        var whole = Basis.IsReal;
        var workers = whole ? settings.Workers : 1;
        var units = Question.Rate / settings.Workers * Basis.ChargeOn(settings.Partitions) * MeasurementRoom;
        var throughput = whole
            ? settings.Throughput
            : Math.Min(Math.Max(StorageNeeds.RoundUp(units, Autoscale), StorageNeeds.MinThroughput(0, Autoscale)), settings.Throughput);
        var prices = Question.Prices;
        var cores = workers * (whole ? trials.CoresOfWorker : 1);
        var price = Question.Plan.HourOf(throughput, prices, Autoscale) + (cores * prices.InstanceSecond * MeasurementMinutes * 60);
        var rate = Numbers.Brief(Question.Rate / settings.Workers);
        var documents = Math.Ceiling(Question.Rate / settings.Workers * MeasurementMinutes * 60);
        var options = $" --workers 1 --cores 1 --throughput {throughput} --documents {documents:0}";
        return new SizeMeasurement(
            whole
                ? $"A run of the whole fleet on the account, on {Numbers.Count(throughput)} RU/s: devbox run with the spec above and "
                    + "--account."
                : $"One worker with its {rate} documents/s on the real account, on a machine such as the workers will have: devbox run "
                    + $"with the spec above,{options} and --account, then devbox size with that run's id. It measures CPU, latency and RU "
                    + "of an operation in place of what is assumed here.",
            MeasurementMinutes, Math.Round(price, 2), whole ? "" : options);
    }
}
