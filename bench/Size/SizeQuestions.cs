using ScaleOut.Analysis.Limits;
using ScaleOut.Costs;
using ScaleOut.Sizing;
using ScaleOut.Sizing.Prediction;

namespace ScaleOut.Bench.Size;

/// <summary>
/// A question to <c>size --rate</c> with planted truth: the CPU that an operation costs a client, the account's latency and charges, and
/// limits that a fleet must keep.
/// </summary>
/// <param name="CpuMs">CPU time of an operation.</param>
/// <param name="MaxP99Ms">Null if the condition is on throttling alone.</param>
/// <param name="MaxThrottled">Largest share of the attempts that may be throttled.</param>
internal sealed record SizePlantedQuestion(RunSpec Spec, double Rate, double CpuMs, double? MaxP99Ms, double MaxThrottled)
{
    private const long MaxOperations = 1_500_000;

    private static readonly PriceList Prices = new() { Currency = "USD", RequestUnitPerSecondHour = 0.00008, GigabyteSecond = 0.000026 };

    public string Until => string.Create(
        CultureInfo.InvariantCulture, $"{(MaxP99Ms is { } ms ? $"p99<{ms}ms && " : "")}throttledShare<{MaxThrottled}");

    /// <summary>Number of workers that the CPU of the operations alone requires.</summary>
    public int WorkersOnPaper => (int)Math.Ceiling(Rate * CpuMs / (1000 * FleetForecast.MaxClientShare));

    /// <summary>The questions of a seed.</summary>
    public static IEnumerable<SizePlantedQuestion> From(int seed, int count)
    {
        var random = new Random(seed);
        double Between(double low, double high) => low * Math.Pow(high / low, random.NextDouble());
        T One<T>(params T[] values) => values[random.Next(values.Length)];
        for (var i = 0; i < count; i++)
        {
            var far = random.NextDouble() < 0.25;
            var latency = far
                ? LatencyProfile.CrossRegion
                : LatencyProfile.SameRegion with { Name = null, WriteMedianMs = Between(3, 6), LogStandardDeviation = Between(0.25, 0.4) };
            var cpu = Math.Round(Between(0.1, 0.8), 3);
            // At least two workers are needed, so that a smaller fleet exists.
            var rate = Math.Round(Between(Math.Max(500, 900 / cpu), 30_000));
            yield return new SizePlantedQuestion(
                new RunSpec
                {
                    Id = "planted",
                    Document = new DocumentSpec { Kind = One(DocumentKind.PerfTest, DocumentKind.Device) },
                    Client = new ClientSpec { ConnectionMode = One<ConnectionMode?>(null, ConnectionMode.Direct, ConnectionMode.Gateway) },
                    Simulation = new SimulationSpec { Latency = latency },
                },
                rate, cpu, random.NextDouble() < 0.2 ? null : Math.Round(far ? Between(130, 400) : Between(24, 90)),
                One(0.001, 0.01, 0.05));
        }
    }

    /// <summary>The fleet that <c>size</c> names. Null if it names none.</summary>
    public FleetSettings? Ask() => FleetSearch.FindCheapest(
        FleetBasis.From(Spec, CpuMs, overheadMs: null),
        new SizeQuestion(Rate, LimitCondition.Parse(Until).Value!, Prices)
        {
            PrefersWorkers = true, KeepsMode = Spec.Client.ConnectionMode is not null,
        });

    /// <summary>
    /// For each seed, why the named fleet and the same fleet with one worker fewer do not meet the condition. Null where a fleet meets it.
    /// Both are simulated for longer than the search does, with other seeds, and are judged by the planted limits alone.
    /// </summary>
    public (IReadOnlyList<string?> Named, IReadOnlyList<string?> Smaller) Truth(
        FleetSettings named, IReadOnlyList<int> seeds, TimeSpan duration)
    {
        // Operations in flight cost nothing, so they must not be what limits the smaller fleet.
        var smaller = named with { Workers = Math.Max(1, named.Workers - 1), Concurrency = 2 * named.Concurrency };
        return ([.. seeds.Select(seed => WhyNot(named, seed, duration))], [.. seeds.Select(seed => WhyNot(smaller, seed, duration))]);
    }

    private string? WhyNot(FleetSettings settings, int seed, TimeSpan duration)
    {
        var basis = FleetBasis.From(Spec, CpuMs, overheadMs: null).With(settings.Mode, settings.Bulk);
        var spec = basis.Spec with { Container = new ContainerSpec { Throughput = settings.Throughput } };
        var result = VirtualFleet.Simulate(FleetSpecs.From(basis with { Spec = spec }, settings.Partitions) with
        {
            Workers = settings.Workers,
            Concurrency = settings.Concurrency,
            Rate = Rate / settings.Workers,
            Poisson = true,
            Seed = seed,
            Duration = duration,
            Connections = settings.Mode == ConnectionMode.Gateway
                ? Math.Max(RunEstimate.DefaultGatewayConnections, settings.Concurrency)
                : null,
            MaxOperations = MaxOperations,
        });
        return result.KeptSchedule != true ? "schedule"
            : result.ThrottledShare >= MaxThrottled ? "429s"
            : result.Operation.PercentileMs(99) >= MaxP99Ms ? "p99"
            : result.ClientCpuAtRate > FleetForecast.MaxClientShare ? "CPU alone"
            : null;
    }
}

/// <summary>
/// Asks questions with planted truth. A result is right if the named fleet meets the condition and the next smaller fleet does not.
/// </summary>
internal static class SizeQuestions
{
    private const int Seed = 31;
    private const int Count = 20;
    private const int Shaped = 20;
    private const int MinRight = 39;
    private const int MinRightOfBudget = 14;

    private static readonly int[] TruthSeeds = [1_001, 1_002];
    private static readonly TimeSpan TruthDuration = TimeSpan.FromMinutes(3);

    /// <summary>Asks all questions and prints the table.</summary>
    /// <returns>Whether enough results are right.</returns>
    public static bool Run()
    {
        var enough = RunBudget();
        Console.WriteLine("| rate | CPU ms | condition | named fleet | on paper | seconds | the fleet | one worker fewer | right |");
        Console.WriteLine("| ---: | ---: | --- | --- | ---: | ---: | --- | --- | --- |");
        var right = 0;
        foreach (var question in SizePlantedQuestion.From(Seed, Count))
        {
            var clock = Stopwatch.StartNew();
            var (found, seconds) = (question.Ask(), clock.Elapsed.TotalSeconds);
            var (named, smaller) = found is null ? ([], []) : question.Truth(found, TruthSeeds, TruthDuration);
            var isRight = found is not null && named.All(one => one is null) && smaller.All(one => one is not null);
            right += isRight ? 1 : 0;
            var fleet = found is null
                ? "none"
                : string.Create(
                    CultureInfo.InvariantCulture,
                    $"{found.Workers} x {found.Mode}{(found.Bulk ? " bulk" : "")}, {found.Concurrency} in flight, "
                        + $"{found.Throughput:N0} RU/s");
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {question.Rate:N0} | {question.CpuMs} | {question.Until} | {fleet} | {question.WorkersOnPaper} | {seconds:0.0} "
                    + $"| {Text(named)} | {Text(smaller)} | {(isRight ? "yes" : "**no**")} |"));
        }

        Console.WriteLine();
        Console.WriteLine("| kind | question | seconds | right |");
        Console.WriteLine("| --- | --- | ---: | --- |");
        foreach (var question in ShapedQuestion.From(Seed, Shaped))
        {
            var clock = Stopwatch.StartNew();
            var wrong = question.WhyWrong();
            right += wrong is null ? 1 : 0;
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {question.Kind} | {question.Text} | {clock.Elapsed.TotalSeconds:0.0} "
                    + $"| {(wrong is null ? "yes" : $"**no**: {wrong}")} |"));
        }

        Console.WriteLine($"{right} of {Count + Shaped} right.");
        return enough && right >= MinRight;

        static string Text(IReadOnlyList<string?> reasons) => string.Join(", ", reasons.Select(one => one ?? "holds").Distinct());
    }

    /// <summary>Asks the questions of a budget meeting.</summary>
    private static bool RunBudget()
    {
        Console.WriteLine("| kind | question | seconds of CPU | right |");
        Console.WriteLine("| --- | --- | ---: | --- |");
        var right = 0;
        foreach (var question in BudgetQuestion.All)
        {
            var before = Environment.CpuUsage.TotalTime;
            var wrong = question.WhyWrong();
            right += wrong is null ? 1 : 0;
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {question.Kind} | {question.Text} | {(Environment.CpuUsage.TotalTime - before).TotalSeconds:0.0} "
                    + $"| {(wrong is null ? "yes" : $"**no**: {wrong}")} |"));
        }

        Console.WriteLine($"{right} of {BudgetQuestion.All.Count} right.");
        Console.WriteLine();
        return right >= MinRightOfBudget;
    }
}
