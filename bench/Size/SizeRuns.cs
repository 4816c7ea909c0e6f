using System.Text.Json.Nodes;
using ScaleOut.Sizing;
using static ScaleOut.Bench.Size.SizeTruth;

namespace ScaleOut.Bench.Size;

/// <summary>
/// Questions to <c>devbox size --rate</c> that real runs check: a run of the fleet that it names, on workers with cores of their own, and a
/// run of the next smaller fleet. The smaller fleet has one worker fewer, or a tenth fewer RU/s if there is only one worker. Of several
/// workers one is measured, with its share of the rate and of the RU/s, because a machine of two cores has no core for a second worker
/// beside the account.
/// </summary>
internal static class SizeRuns
{
    private const int Seed = 311;
    private const int Count = 20;
    private const int MinRight = 19;
    private const int WarmupSeconds = 10;

    /// <summary>Ranges of rates that one worker of this machine can keep, and that need two workers, documents per second.</summary>
    private static readonly (double Low, double High)[] Rates = [(80, 700), (1_150, 1_300)];

    /// <summary>Interval of the questions that need two workers.</summary>
    private const int TwoWorkersEvery = 5;

    /// <summary>Asks all questions and prints the table.</summary>
    /// <param name="seconds">Approximate length of each run after its warm-up.</param>
    /// <param name="only">Numbers of the questions to ask, counted from 1. All if empty.</param>
    /// <returns>Whether enough results are right.</returns>
    public static async Task<bool> RunAsync(int seconds, IReadOnlyCollection<int> only)
    {
        var folder = Directory.CreateTempSubdirectory("bench-size-").FullName;
        var known = new Dictionary<string, (double Cpu, double Overhead)>();
        var right = 0;
        try
        {
            Console.WriteLine("| question | named fleet | p99 ms simulated | the fleet, measured | the next smaller, measured | right |");
            Console.WriteLine("| --- | --- | ---: | --- | --- | --- |");
            var asked = Questions().Index().Where(one => only.Count == 0 || only.Contains(one.Index + 1)).ToList();
            foreach (var (index, question) in asked)
            {
                if (!known.TryGetValue(question.Basis, out var basis))
                    known[question.Basis] = basis = await KnownAsync(
                        folder, "--document", question.Document, "--mode", question.Mode);
                var id = $"q{index + 1}";
                var result = JsonNode.Parse(await DevBoxAsync(
                    folder,
                    ["size", "--rate", Text(question.Rate), "--until", question.Until, "--arrivals", "even",
                        "--document", question.Document, "--mode", question.Mode,
                        "--cpu-per-operation", $"{Text(basis.Cpu)}ms", "--overhead", $"{Text(basis.Overhead)}ms",
                        "--spec", $"{id}.json", "--json", "-"]))!;
                var spec = JsonNode.Parse(await File.ReadAllTextAsync(Path.Combine(folder, $"{id}.json")))!.AsObject();
                spec["client"]!["cores"] = 1;
                spec["warmup"] = $"00:00:{WarmupSeconds}";
                var named = await MeasureAsync(folder, $"{id}-named", question, OneWorkerOf(spec), seconds);
                var smaller = await MeasureAsync(folder, $"{id}-smaller", question, OneWorkerOf(Smaller(spec, question.Rate)), seconds);
                var isRight = named.Unmet is null && smaller.Unmet is not null;
                right += isRight ? 1 : 0;
                var settings = result["settings"]!;
                Console.WriteLine(
                    $"| {index + 1}: {Text(question.Rate)}/s {question.Document}, {question.Mode}, {question.Until} "
                        + $"| {settings["workers"]} x {settings["concurrency"]} in flight, {settings["throughput"]} RU/s "
                        + $"| {result["fleet"]!["operationMs"]!["p99"]} "
                        + $"| {named.Text} | {smaller.Text} | {(isRight ? "yes" : "**no**")} |");
            }

            Console.WriteLine($"{right} of {asked.Count} right.");
            return right >= MinRight * asked.Count / (double)Count;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static IEnumerable<SizeRunQuestion> Questions()
    {
        var random = new Random(Seed);
        double Between(double low, double high) => low * Math.Pow(high / low, random.NextDouble());
        T One<T>(params T[] values) => values[random.Next(values.Length)];
        for (var i = 0; i < Count; i++)
        {
            var (low, high) = Rates[i % TwoWorkersEvery == TwoWorkersEvery - 1 ? 1 : 0];
            yield return new SizeRunQuestion(
                Math.Round(Between(low, high)), One("perfTest", "device"), low > Rates[0].High ? "Direct" : One("Direct", "Gateway"),
                Math.Round(Between(22, 60)), One(0.001, 0.01));
        }
    }

    private static JsonObject Smaller(JsonObject named, double rate)
    {
        var smaller = named.DeepClone().AsObject();
        var workers = (int)smaller["workers"]!;
        if (workers > 1)
        {
            smaller["workers"] = workers - 1;
            smaller["client"]!["rate"] = rate / (workers - 1);
            // Operations in flight cost nothing, so they must not be what limits the smaller fleet.
            smaller["client"]!["concurrency"] = 2 * (int)smaller["client"]!["concurrency"]!;
        }
        else
        {
            smaller["container"]!["throughput"] = Math.Max(400, (int)smaller["container"]!["throughput"]! * 9 / 1_000 * 100);
        }

        return smaller;
    }

    /// <summary>The spec of one worker of a fleet, with its share of the rate and of the RU/s.</summary>
    private static JsonObject OneWorkerOf(JsonObject fleet)
    {
        var workers = (int)fleet["workers"]!;
        if (workers == 1)
            return fleet;
        var one = fleet.DeepClone().AsObject();
        var throughput = (int)fleet["container"]!["throughput"]!;
        var share = Math.Max(400, throughput / (100 * workers) * 100);
        one["workers"] = 1;
        one["container"]!["throughput"] = share;
        // RU/s are multiples of 100. The rate is in proportion, so that the worker uses as much of its RU/s as in the fleet.
        one["client"]!["rate"] = (double)fleet["client"]!["rate"]! * share * workers / throughput;
        return one;
    }

    /// <param name="spec">Spec of one worker.</param>
    private static async Task<(string? Unmet, string Text)> MeasureAsync(
        string folder, string id, SizeRunQuestion question, JsonObject spec, int seconds)
    {
        spec["documents"] = (long)((double)spec["client"]!["rate"]! * (seconds + WarmupSeconds));
        var report = await SizeTruth.MeasureAsync(folder, id, spec, pinAccount: true);
        var requests = report.GetProperty("requests");
        var throttled = requests.GetProperty("throttled").GetDouble() / requests.GetProperty("attempts").GetDouble();
        var p99 = report.GetProperty("latencyMs").GetProperty("operation").GetProperty("p99").GetDouble();
        var used = report.GetProperty("utilization");
        var client = used.GetProperty("client").GetDouble();
        var unmet = !used.GetProperty("keptSchedule").GetBoolean() ? "schedule"
            : throttled >= question.MaxThrottled ? "429s"
            : p99 >= question.MaxP99Ms ? "p99"
            : client > FleetForecast.MaxClientShare ? "CPU alone"
            : null;
        return (unmet, string.Create(
            CultureInfo.InvariantCulture, $"{unmet ?? "holds"}: p99 {p99:0.0} ms, {throttled:0.0%} 429s, {client:0%} CPU"));
    }
}

/// <param name="Rate">Documents per second.</param>
/// <param name="MaxThrottled">Largest share of the attempts that may be throttled.</param>
internal sealed record SizeRunQuestion(double Rate, string Document, string Mode, double MaxP99Ms, double MaxThrottled)
{
    /// <summary>Questions with the same basis share the measured CPU of an operation.</summary>
    public string Basis => $"{Document} {Mode}";

    public string Until => string.Create(CultureInfo.InvariantCulture, $"p99<{MaxP99Ms}ms && throttledShare<{MaxThrottled}");
}
