using ScaleOut.Analysis.Limits;
using ScaleOut.Costs;
using ScaleOut.Sizing;
using ScaleOut.Sizing.Prediction;

namespace ScaleOut.Bench.Size;

/// <summary>
/// A question to <c>size</c> about hot keys, growth, autoscale, a mix or a load, with planted truth: arithmetic, or simulations of every
/// fleet on a grid that the search does not see.
/// </summary>
/// <param name="Kind">Such as <c>hot keys</c>.</param>
/// <param name="WhyWrong">Asks, and says what is wrong with the result; null if it is right.</param>
internal sealed record ShapedQuestion(string Kind, string Text, Func<string?> WhyWrong)
{
    /// <summary>A fleet that costs less by so much must not hold: RU/s are searched in steps, and simulations are random.</summary>
    private const double Tolerance = 0.03;

    private const int MaxPartitions = 24;
    private const double CpuMs = 0.3;

    private static readonly PriceList Prices = new()
    {
        Currency = "USD", RequestUnitPerSecondHour = 0.00008, GigabyteSecond = 0.000026, StorageGigabyteMonth = 0.25,
    };

    private static readonly TimeSpan TruthDuration = TimeSpan.FromMinutes(3);

    /// <summary>The questions of a seed, of each kind in turn.</summary>
    public static IEnumerable<ShapedQuestion> From(int seed, int count)
    {
        var random = new Random(seed);
        double Between(double low, double high) => Math.Round(low * Math.Pow(high / low, random.NextDouble()));
        T One<T>(params T[] values) => values[random.Next(values.Length)];
        for (var i = 0; i < count; i++)
        {
            yield return (i % 5) switch
            {
                0 => HotKeys(
                    One("same", "c-{{random:int:1:10}}", "c-{{random:int:1:60}}", "c-{{zipf:1:5000:0.9}}", "c-{{zipf:1:20000:1.1}}"),
                    Between(300, 1_500)),
                1 => Growth(Between(50, 4_000), (int)Between(300, 6_000), Between(1, 60)),
                2 => Autoscale(Between(100, 4_000), Between(1, 20), random.NextDouble() / 2),
                3 => Mix((int)Between(20, 80), Between(400, 2_500), Between(12, 25)),
                _ => Load((long)Between(200_000, 20_000_000), TimeSpan.FromMinutes(Between(10, 300))),
            };
        }
    }

    private static ShapedQuestion HotKeys(string key, double rate) => new(
        "hot keys", $"{rate:N0}/s of {key}", () =>
        {
            var basis = FleetBasis.From(Spec(key, bytes: 100), CpuMs, overheadMs: null);
            var question = new SizeQuestion(rate, Condition("throttledShare<0.01"), Prices);
            var found = FleetSearch.FindCheapest(basis, question);
            return WhyNotCheapest(basis, found, rate, result => result.ThrottledShare < 0.01);
        });

    private static ShapedQuestion Mix(int inserts, double rate, double maxMs) => new(
        "mix", $"{rate:N0}/s, {inserts}% inserts, insert.p99<{maxMs}ms", () =>
        {
            var spec = Spec("{{key}}", bytes: 100) with { Workload = new() { Mix = new() { Insert = inserts, Read = 100 - inserts } } };
            var basis = FleetBasis.From(spec, CpuMs, overheadMs: null);
            var until = $"insert.p99<{maxMs}ms && throttledShare<0.01";
            var found = FleetSearch.FindCheapest(
                basis, new SizeQuestion(rate, Condition(until, WorkloadKind.Insert, WorkloadKind.Read), Prices));
            return WhyNotCheapest(
                basis, found, rate,
                result => result.ThrottledShare < 0.01 && result.OperationByKind[0].PercentileMs(99) < maxMs);
        });

    /// <summary>Rate x seconds x bytes; a partition for each 50 GB, and 1 RU/s for each GB.</summary>
    private static ShapedQuestion Growth(double rate, int bytes, double days) => new(
        "growth", $"{rate:N0}/s of {bytes:N0} bytes, kept {days} days", () =>
        {
            var basis = FleetBasis.From(Spec("{{key}}", bytes), CpuMs, overheadMs: null);
            var question = new SizeQuestion(rate, Condition(null), Prices) { Retention = TimeSpan.FromDays(days) };
            var growth = StorageGrowth.From(basis, question, KeySpread.From(basis.Spec));
            var gigabytes = rate * days * 86_400 * basis.BytesPerDocument / 1e9;
            return Math.Abs(growth.Gigabytes - gigabytes) > 1e-6 * gigabytes ? $"{growth.Gigabytes} GB, not {gigabytes}"
                : growth.Partitions != Math.Max(1, (int)Math.Ceiling(gigabytes / 50)) ? $"{growth.Partitions} partitions"
                : growth.MinThroughput != Math.Max(400, (int)Math.Ceiling(gigabytes / 100) * 100) ? $"{growth.MinThroughput} RU/s"
                : null;
        });

    private static ShapedQuestion Autoscale(double rate, double hours, double idle) => new(
        "autoscale", $"{rate:N0}/s for {hours} h a day, else {idle:P0} of it", () =>
        {
            var basis = FleetBasis.From(Spec("{{key}}", bytes: 100), CpuMs, overheadMs: null);
            var question = new SizeQuestion(rate, Condition(null), Prices)
            {
                Retention = TimeSpan.Zero, Day = DailyLoad.OfPeak(hours, idle),
            };
            if (FleetSearch.FindCheapest(basis, question) is not { } found)
                return "none found";
            var cost = MonthCost.From(Prices, new(found.Workers, found.Throughput, Gigabytes: 0), question.Day);
            var (units, step) = (Prices.RequestUnitPerSecondHour * 730, Math.Ceiling(found.Throughput / 1_000.0) * 1_000);
            var idleUnits = Math.Max(step / 10, found.Throughput * idle);
            var peak = 1.5 * units * ((hours * step) + ((24 - hours) * idleUnits)) / 24;
            var cheapest = Math.Min(found.Throughput * units, peak);
            var used = rate * basis.ChargePerDocument;
            return Math.Abs(cost.Total - cost.Compute - cheapest) > 0.02 ? $"{cost.Total - cost.Compute}, not {cheapest}"
                : !IsJustEnough(found, rate, basis.ChargePerDocument) ? $"{found.Throughput} RU/s for {used:N0}"
                : null;
        });

    private static ShapedQuestion Load(long documents, TimeSpan within) => new(
        "load", $"{documents:N0} documents within {within.TotalMinutes:0} min", () =>
        {
            var spec = Spec("{{key}}", bytes: 100) with { Documents = documents };
            var basis = FleetBasis.From(spec, CpuMs, overheadMs: null);
            var rate = documents / within.TotalSeconds;
            var found = FleetSearch.FindCheapest(basis, new SizeQuestion(rate, Condition(null), Prices) { Within = within });
            if (found is null)
                return "none found";
            var used = rate * basis.ChargePerDocument;
            var cost = LoadCost.From(Prices, found, cores: 1, new(documents, within));
            var hours = Math.Ceiling(within.TotalHours);
            var expected = found.Throughput * hours * Prices.RequestUnitPerSecondHour;
            return !IsJustEnough(found, rate, basis.ChargePerDocument) ? $"{found.Throughput} RU/s for {used:N0}"
                : Math.Abs(cost.Throughput - expected) > 0.01 ? $"costs {cost.Throughput}, not {expected}"
                : null;
        });

    /// <summary>Simulates the fleet, and all fleets that are cheaper by the tolerance, on each number of partitions.</summary>
    private static string? WhyNotCheapest(FleetBasis basis, FleetSettings? found, double rate, Func<FleetResult, bool> holds)
    {
        if (found is null)
            return "none found";
        var last = "";
        bool Holds(FleetSettings settings, int seed)
        {
            var variant = basis.With(settings.Mode, settings.Bulk);
            var spec = variant.Spec with { Container = variant.Spec.Container with { Throughput = settings.Throughput } };
            var result = VirtualFleet.Simulate(FleetSpecs.From(variant with { Spec = spec }, settings.Partitions) with
            {
                Workers = settings.Workers,
                Concurrency = settings.Concurrency,
                Rate = rate / settings.Workers,
                Poisson = true,
                Seed = seed,
                Duration = TruthDuration,
                Connections = settings.Mode == ConnectionMode.Gateway ? Math.Max(50, settings.Concurrency) : null,
            });
            last = string.Create(
                CultureInfo.InvariantCulture, $"p99 {result.Operation.PercentileMs(99):0.0} ms, {result.ThrottledShare:0.00%} 429s");
            return result.KeptSchedule == true && result.ClientCpuAtRate <= FleetForecast.MaxClientShare && holds(result);
        }

        if (!Holds(found, 901))
            return $"the named fleet does not hold: {found.Throughput:N0} RU/s, {last}";
        var used = rate * basis.ChargePerDocument;
        var most = (int)Math.Floor(found.Throughput * (1 - Tolerance) / 100) * 100;
        if (most < Math.Max(used, ContainerSpec.MinThroughput))
            return null;
        for (var partitions = 1; partitions <= MaxPartitions; partitions++)
        {
            // On a fixed number of partitions more RU/s never harm, so the most decide for all below.
            if (most > partitions * SimulationSpec.MaxRequestUnitsPerPartition)
                continue;
            var cheaper = found with { Throughput = most, Partitions = partitions, Concurrency = 2 * found.Concurrency };
            if (Holds(cheaper, 902) && Holds(cheaper, 903))
                return $"{most:N0} RU/s on {partitions} partitions hold, too";
        }

        return null;
    }

    /// <summary>Keys of their own spread evenly, so what is needed more than is used is the room of random arrivals.</summary>
    private static bool IsJustEnough(FleetSettings found, double rate, double charge)
    {
        var least = RandomArrivals.LeastUnits(rate, charge, found.Partitions, maxThrottled: 0.01);
        return found.Throughput >= Math.Max(rate * charge, (1 - Tolerance) * least)
            && found.Throughput <= Math.Max(ContainerSpec.MinThroughput, ((1 + (2 * Tolerance)) * least) + 100);
    }

    private static RunSpec Spec(string key, int bytes) => new()
    {
        Id = "planted",
        Document = new DocumentSpec
        {
            Kind = DocumentKind.Template,
            Template = $$$"""{"id": "{{id}}", "k": "{{{key}}}", "text": "{{random:text:{{{Math.Max(1, bytes - 60)}}}}}"}""",
        },
        Container = new ContainerSpec { PartitionKeyPath = "/k" },
    };

    private static LimitCondition Condition(string? until, params WorkloadKind[] kinds) =>
        LimitCondition.Parse(until, FleetForecast.ConditionNames(kinds)).Value!;
}
