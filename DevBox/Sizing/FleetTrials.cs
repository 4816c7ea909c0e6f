using System.Collections.Concurrent;
using System.Text.RegularExpressions;

namespace ScaleOut.DevBox.Sizing;

/// <summary>Simulates fleets that share a rate evenly, and judges whether they hold it. Thread-safe.</summary>
/// <remarks>
/// A fleet holds the rate if it meets the condition, keeps its schedule, and uses at most <see cref="FleetForecast.MaxClientShare"/> of its
/// clients' cores.
/// </remarks>
internal sealed partial class FleetTrials(FleetBasis basis, SizeQuestion question, KeySpread keys, CancellationToken cancellationToken)
{
    private const long MaxOperations = 200_000;
    private const long MaxFinalOperations = 800_000;

    private static readonly TimeSpan FinalDuration = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Warmup = TimeSpan.FromSeconds(2);

    private readonly ConcurrentDictionary<FleetSettings, TriedFleet> _tried = new();

    public FleetBasis Basis => basis;

    public SizeQuestion Question => question;

    public KeySpread Keys => keys;

    public CancellationToken Cancellation => cancellationToken;

    /// <summary>All fleets that were tried.</summary>
    public IReadOnlyCollection<TriedFleet> Tried => [.. _tried.Values];

    /// <summary>What is stored at the rate.</summary>
    public StorageGrowth Growth { get; } = StorageGrowth.From(basis, question, keys);

    /// <summary>RU/s that the rate uses.</summary>
    public double Used => question.Rate * basis.ChargePerDocument;

    /// <summary>Share of these RU/s that reads use.</summary>
    public double ReadShare
    {
        get
        {
            var spec = basis.Spec;
            double Units(bool reads) => spec.Workload.Shares.Where(one => one.Kind.Reads() == reads)
                .Sum(one => one.Share * RunEstimate.ChargeOf(spec, one.Kind, basis.BytesPerDocument));
            return Units(true) / (Units(true) + Units(false));
        }
    }

    /// <summary>The same trials of another question or basis.</summary>
    public FleetTrials With(FleetBasis? otherBasis = null, SizeQuestion? otherQuestion = null) =>
        new(otherBasis ?? basis, otherQuestion ?? question, keys, cancellationToken);

    /// <summary>Simulates a fleet at the rate. One that was tried is not simulated again.</summary>
    /// <param name="final">Whether the fleet may be the result. It is then simulated for longer and with another seed.</param>
    public TriedFleet Try(FleetSettings asked, bool final = false)
    {
        var settings = asked.Concurrency > 0 ? asked : asked with { Concurrency = AmpleConcurrency(asked) };
        if (!final && _tried.TryGetValue(settings, out var known))
            return known;
        var forecast = Simulate(settings, question.Rate, final);
        return _tried[settings] = new TriedFleet(
            settings, forecast, Unmet(forecast, question.Rate, slower: false), Unmet(forecast, question.Rate, slower: true),
            CostOf(settings));
    }

    public FleetForecast Simulate(FleetSettings settings, double rate, bool final = false)
    {
        var variant = basis.With(settings.Mode, settings.Bulk);
        var spec = variant.Spec with { Container = variant.Spec.Container with { Throughput = settings.Throughput } };
        var fleet = FleetSpecs.From(variant with { Spec = spec }, settings.Partitions, keys);
        return FleetForecast.From(VirtualFleet.Simulate(
            fleet with
            {
                Workers = settings.Workers,
                Concurrency = settings.Concurrency,
                Connections = ConnectionsOf(spec, settings),
                Rate = rate / settings.Workers,
                // Burst credit is used up within minutes, and the rate must hold for longer.
                Burst = false,
                Duration = final ? FinalDuration + DurationOf(rate) : DurationOf(rate),
                Warmup = final ? fleet.Warmup : Warmup,
                MaxOperations = final ? MaxFinalOperations : MaxOperations,
                Seed = final ? fleet.Seed + 1 : fleet.Seed,
            },
            cancellationToken));
    }

    /// <summary>Virtual time of a short simulation: long enough for some ten thousand operations, if that is not too long.</summary>
    private static TimeSpan DurationOf(double rate) =>
        TimeSpan.FromSeconds(rate > 50_000 ? 7 : Math.Clamp(Math.Ceiling(40_000 / rate), 10, 1_000));

    /// <summary>What keeps a fleet from holding a rate, with the figures; null if it holds.</summary>
    /// <param name="slower">Whether latencies are longer than simulated by the model's own error.</param>
    public string? Unmet(FleetForecast forecast, double rate, bool slower)
    {
        if (!forecast.PromisesLatency)
        {
            return $"the clients use {Numbers.Percent(forecast.Utilization.Client)} of their cores, more than the "
                + $"{Numbers.Percent(FleetForecast.MaxClientShare)} up to which latencies are promised";
        }

        if (forecast.Utilization.KeptSchedule != true)
            return $"{Numbers.Brief(forecast.PerSecond)} documents/s are done, and the schedule falls behind";
        var numbers = forecast.NumbersAt(rate, slower ? 1 + ModelError.Latency : 1, basis.Spec.Workload.Shares.Select(one => one.Kind));
        var unmet = question.Condition.Unmet(numbers).Select(Describe).ToList();
        return unmet.Count == 0 ? null : string.Join(", ", unmet);

        string Describe(string comparison)
        {
            var written = NameForm().Match(comparison).Value;
            var (name, value) = numbers.FirstOrDefault(one => one.Key.Equals(written, StringComparison.OrdinalIgnoreCase));
            if (name is null || value is null)
                return $"not {comparison}";
            var text = name.EndsWith("Share", StringComparison.Ordinal) ? Numbers.Percent(value)
                : name == ReportNumbers.Errors ? Numbers.Brief(value)
                : $"{Numbers.Brief(value)} ms";
            return $"{name} is up to {text}, not {comparison[name.Length..].Trim()}";
        }
    }

    /// <summary>The cost of a month with the throughput bought in its cheapest way; of a load, that of the load.</summary>
    public double CostOf(FleetSettings settings) => LoadOf(settings)?.Total ?? MonthOf(settings).Total;

    /// <summary>Cores of each worker. A price is that of one.</summary>
    public int CoresOfWorker => basis.Spec.SettingsOf(0).Cores ?? 1;

    /// <summary>The bill of a month at the start, with the documents that are stored at the start.</summary>
    public MonthCost MonthOf(FleetSettings settings) => MonthOf(settings, Growth.GigabytesAtOnce);

    public MonthCost MonthOf(FleetSettings settings, double gigabytes) => MonthCost.From(
        question.Prices, settings.Workers * CoresOfWorker, settings.Throughput, gigabytes, question.Peak);

    /// <summary>The cost of the load; null for a rate that stays.</summary>
    public LoadCost? LoadOf(FleetSettings settings) => question.Within is { } within
        ? LoadCost.From(question.Prices, settings, CoresOfWorker, basis.Spec.Documents, within)
        : null;

    /// <summary>More operations in flight than a worker needs, so that they are not the limit.</summary>
    public int AmpleConcurrency(FleetSettings settings)
    {
        if (question.KeepsConcurrency)
            return basis.Spec.SettingsOf(0).Concurrency;
        var spec = basis.With(settings.Mode, settings.Bulk).Spec;
        const double Ample = 4;
        var ms = basis.Latency.NetworkMs(settings.Mode) + RunEstimate.MedianServiceMs(basis.Latency, spec, spec.SettingsOf(0))
            + basis.OverheadMs + (settings.Bulk ? RunEstimate.BulkFlushMs : 0);
        var operations = question.Rate / settings.Workers / spec.Workload.DocumentsPerOperation * ms / 1000;
        return (int)Math.Clamp(Math.Ceiling(Ample * operations), 10, ClientSpec.MaxConcurrency);
    }

    /// <summary>A Gateway client needs a connection for each operation in flight; null in Direct.</summary>
    public static int? ConnectionsOf(RunSpec spec, FleetSettings settings) => settings.Mode == ConnectionMode.Gateway
        ? spec.Client.MaxConnections ?? Math.Max(RunEstimate.DefaultGatewayConnections, settings.Concurrency)
        : null;

    [GeneratedRegex(@"^[A-Za-z][\w.]*", RegexOptions.CultureInvariant)]
    private static partial Regex NameForm();
}
