namespace ScaleOut.Bench.KnownTruth;

/// <summary>
/// Measures how often the interval of <c>limit</c> misses a planted truth. Also measures the interval's width, the number of runs, and how
/// often there is no interval.
/// </summary>
public static class KnownTruthTable
{
    /// <summary>Prints the table.</summary>
    /// <param name="searches">Number of searches for each truth.</param>
    /// <param name="name">Part of the names of the truths to measure. Empty for all.</param>
    /// <param name="series">Number of the series. Each series has seeds of its own.</param>
    /// <returns>Whether no truth was missed more often than is allowed.</returns>
    public static bool Run(int searches, string name, int series)
    {
        var cpu = Process.GetCurrentProcess().TotalProcessorTime;
        var planted = Truths.All.Where(truth => truth.Name.Contains(name, StringComparison.Ordinal)).ToList();
        // Simulating the account's fleets takes ten seconds.
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
