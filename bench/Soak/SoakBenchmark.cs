using ScaleOut.DevBox.Display;

namespace ScaleOut.Bench.Soak;

/// <summary>
/// Kills small runs again and again, at random instants between their claim and the deletion of their container. It damages stored items,
/// resumes the runs wrongly and rightly until they end, and compares their reports with the account's ledger. Linux only.
/// </summary>
internal static class SoakBenchmark
{
    /// <summary>Number of events from which every kind of event must occur.</summary>
    private const int MinOfAllKinds = 100;

    /// <summary>
    /// Runs the soak. Prints a line for each run. At the end it prints what was lost, what was counted twice and which runs did not finish.
    /// </summary>
    /// <returns>Whether all events happened, with every kind among them, and each run ended without lost or double documents.</returns>
    public static async Task<bool> RunAsync(SoakSettings settings)
    {
        var folder = Directory.CreateTempSubdirectory("scaleout-soak-");
        var results = new List<(RunSpec Spec, SoakRunResult Result)>();
        var begun = TimeProvider.System.GetTimestamp();
        var rounds = 0;
        try
        {
            await Task.WhenAll(Enumerable.Range(0, settings.AtOnce).Select(_ => RunInTurnAsync()));
        }
        finally
        {
            folder.Delete(recursive: true);
        }

        Console.WriteLine();
        foreach (var target in Enum.GetValues<SoakTarget>())
            Console.WriteLine($"  {target,-13} {Happened(results).Count(happened => happened == target)} times");
        if (!SoakClock.CanBeSet)
            Console.WriteLine("  no clock was set: libfaketime is not installed");
        if (!SoakDisk.CanBeMounted || !SoakLimits.CanBeSet)
            Console.WriteLine("  no disk was full or no limit was set: that takes root, and control groups of version 1");
        Console.WriteLine($"seed {settings.Seed}: {results.Count} runs, {Totals(results)}");
        var few = Happened(results).Count() < settings.Kills;
        if (few)
            Console.WriteLine($"the time ended after {Happened(results).Count()} of {settings.Kills} events");
        var never = SoakKill.Possible.Except(Happened(results)).ToList();
        if (never.Count > 0)
            Console.WriteLine($"what never happened: {string.Join(", ", never)}");
        return !few && (never.Count == 0 || settings.Kills < MinOfAllKinds)
            && results.TrueForAll(entry => entry.Result is { Finished: true, Lost: 0, Double: 0, ContainersLeft: 0, Wrong.Count: 0 });

        // Makes one run after another, against an account that no other run uses.
        async Task RunInTurnAsync()
        {
            using var account = await SoakAccount.StartAsync();
            while (Before() is { } before && before.Count < settings.Kills && TimeProvider.System.GetElapsedTime(begun) < settings.Limit)
            {
                var round = Interlocked.Increment(ref rounds) - 1;
                var random = new Random(HashCode(settings.Seed, round));
                var spec = SoakSpecs.From(round, random);
                // Every third run has an account of its own and keeps that account's ledger.
                var own = round % 3 == 2;
                var result = await new SoakRun(folder.FullName, spec, own ? null : account)
                    .RunAsync(before, SoakSpecs.IsLarge(round), random);
                lock (results)
                {
                    results.Add((spec, result));
                    Console.WriteLine($"{TimeProvider.System.GetElapsedTime(begun):hh\\:mm\\:ss}  {spec.Id}  {spec.Workload.Kind,-6} "
                        + $"{spec.Client.ConnectionMode,-7}  {Totals(results)}");
                    foreach (var error in result.Wrong.Append(result.Error).OfType<string>())
                        Console.WriteLine($"  {spec.Id}: {error}");
                }
            }
        }

        List<SoakTarget> Before()
        {
            lock (results)
                return [.. Happened(results)];
        }
    }

    private static IEnumerable<SoakTarget> Happened(List<(RunSpec Spec, SoakRunResult Result)> results) =>
        results.SelectMany(entry => entry.Result.Happened);

    private static string Totals(List<(RunSpec Spec, SoakRunResult Result)> results) =>
        $"events {Happened(results).Count()}  lost {results.Sum(entry => entry.Result.Lost)}  double "
            + $"{results.Sum(entry => entry.Result.Double)}  not finished {results.Count(entry => !entry.Result.Finished)}"
            + $"  containers left {results.Sum(entry => entry.Result.ContainersLeft)}"
            + $"  wrong {results.Sum(entry => entry.Result.Wrong.Count)}";

    /// <summary>A hash that is the same in every process. <see cref="System.HashCode"/> is not.</summary>
    private static int HashCode(int seed, int round) => unchecked((seed * 7_919) + (round * 104_729));
}
