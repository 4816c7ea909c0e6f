using ScaleOut.Experiments;

namespace ScaleOut.Bench.KnownTruth;

/// <summary>How often the interval of <c>limit</c> misses a planted truth, its width, its runs, and how often there is none.</summary>
public static class KnownTruthTable
{
    /// <summary>Prints the table.</summary>
    /// <param name="searches">For each truth.</param>
    /// <param name="name">Part of the truths' names; empty for all.</param>
    /// <param name="series">Another number gives other seeds.</param>
    /// <returns>Whether every truth was missed no more often than it may be.</returns>
    public static bool Run(int searches, string name, int series)
    {
        var cpu = Process.GetCurrentProcess().TotalProcessorTime;
        var planted = Truths.All.Where(truth => truth.Name.Contains(name, StringComparison.Ordinal)).ToList();
        // Its fleets take ten seconds.
        var ofAccount = planted.Count > 0 && name.Length > 0 ? [] : AccountTruths.Simulate();
        var truths = planted.Concat(ofAccount.Where(truth => truth.Name.Contains(name, StringComparison.Ordinal)));
        Console.WriteLine("| truth | missed | allowed | of the intervals | no interval | said to drift | width | runs |");
        Console.WriteLine("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        var isKept = true;
        foreach (var truth in truths)
        {
            var result = truth.Search(searches, new LimitSpec(), series);
            isKept &= result.IsKept;
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {truth.Name} | {result.Missed:0.0%}{(result.IsKept ? "" : " **too often**")} | {truth.MaxMissed:0%} "
                + $"| {result.MissedOfIntervals:0.0%} | {result.WithoutInterval:0.0%} | {result.SaidDrift:0.0%} | {result.Width:0.0%} "
                + $"| {result.Runs:0.0} |"));
        }

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{searches} searches each; {(Process.GetCurrentProcess().TotalProcessorTime - cpu).TotalSeconds:0} s of CPU."));
        return isKept;
    }
}
