using ScaleOut.DevBox.Display;

namespace ScaleOut.Bench.Soak;

/// <summary>
/// Kills small runs again and again, at chance instants from their claim to the deletion of their container, damages what they keep,
/// resumes them wrongly and rightly until they end, and compares their reports with the account's ledger. On Linux.
/// </summary>
internal static class SoakBenchmark
{
    /// <summary>Runs it; prints a line for each run, and in the end what was lost, double and not finished.</summary>
    /// <returns>Whether all asked events happened and nothing was.</returns>
    public static async Task<bool> RunAsync(SoakSettings settings)
    {
        var folder = Directory.CreateTempSubdirectory("scaleout-soak-");
        var results = new List<(RunSpec Spec, SoakRunResult Result)>();
        var begun = TimeProvider.System.GetTimestamp();
        try
        {
            using var account = await SoakAccount.StartAsync();
            while (Killed(results).Count() < settings.Kills && TimeProvider.System.GetElapsedTime(begun) < settings.Limit)
            {
                var random = new Random(HashCode(settings.Seed, results.Count));
                var spec = SoakSpecs.From(results.Count, random);
                // Every third run has an account of its own, whose ledger it keeps.
                var own = results.Count % 3 == 2;
                var result = await new SoakRun(folder.FullName, spec, own ? null : account).RunAsync(SoakKill.Plan(random, own), random);
                results.Add((spec, result));
                Console.WriteLine($"{TimeProvider.System.GetElapsedTime(begun):hh\\:mm\\:ss}  {spec.Id}  {spec.Workload.Kind,-6} "
                    + $"{spec.Client.ConnectionMode,-7}  {Totals(results)}");
                foreach (var error in result.Wrong.Append(result.Error).OfType<string>())
                    Console.WriteLine($"  {spec.Id}: {error}");
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }

        Console.WriteLine();
        foreach (var target in Enum.GetValues<SoakTarget>())
            Console.WriteLine($"  {target,-13} {Killed(results).Count(killed => killed == target)} times");
        if (!SoakClock.CanBeSet)
            Console.WriteLine("  no clock was set: libfaketime is not installed");
        Console.WriteLine($"seed {settings.Seed}: {results.Count} runs, {Totals(results)}");
        var few = Killed(results).Count() < settings.Kills;
        if (few)
            Console.WriteLine($"the time ended after {Killed(results).Count()} of {settings.Kills} events");
        return !few && results.TrueForAll(entry => entry.Result is { Finished: true, Lost: 0, Double: 0, Wrong.Count: 0 });
    }

    private static IEnumerable<SoakTarget> Killed(List<(RunSpec Spec, SoakRunResult Result)> results) =>
        results.SelectMany(entry => entry.Result.Killed);

    private static string Totals(List<(RunSpec Spec, SoakRunResult Result)> results) =>
        $"events {Killed(results).Count()}  lost {results.Sum(entry => entry.Result.Lost)}  double "
            + $"{results.Sum(entry => entry.Result.Double)}  not finished {results.Count(entry => !entry.Result.Finished)}"
            + $"  wrong {results.Sum(entry => entry.Result.Wrong.Count)}";

    /// <summary>The same in every process, which <see cref="System.HashCode"/> is not.</summary>
    private static int HashCode(int seed, int round) => unchecked((seed * 7_919) + (round * 104_729));
}
