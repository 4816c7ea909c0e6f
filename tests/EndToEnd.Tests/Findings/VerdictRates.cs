namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>How often 1,000 seeded experiments on one truth give each verdict.</summary>
internal sealed record VerdictRates
{
    public const int Experiments = 1_000;
    private const int UsualRepeats = 5;

    public required string Name { get; init; }

    public required IReadOnlyDictionary<FindingVerdict, int> Counts { get; init; }

    public double Supported => ShareOf(FindingVerdict.Supported);

    public double Refuted => ShareOf(FindingVerdict.Refuted);

    public double NoDifference => ShareOf(FindingVerdict.NoDifference);

    /// <summary>Runs the experiments.</summary>
    /// <param name="name">Name of the truth.</param>
    /// <param name="truth">The variants without noise.</param>
    /// <param name="repeats">Number of runs of each variant.</param>
    /// <param name="range">Range of the noise. Default <see cref="NoiseRange.Wide"/>.</param>
    /// <param name="drift">Whether every other experiment has a drift.</param>
    public static VerdictRates From(
        string name, FindingSpec finding, Func<Random, IReadOnlyList<Truth>> truth, int repeats = UsualRepeats, NoiseRange? range = null,
        bool drift = true)
    {
        var counts = new Dictionary<FindingVerdict, int>();
        for (var seed = 1; seed <= Experiments; seed++)
        {
            var random = new Random((int)finding.Kind * 100_000 + seed);
            var truths = truth(random);
            var noise = Noise.Within(range ?? NoiseRange.Wide, random, drift && seed % 2 == 0 ? truths.Count : 0);
            var spec = finding with { Variants = [.. truths.Select(one => one.Name)] };
            var verdict = FindingTests.Evaluate(spec, Truth.Measure(truths, repeats, noise)).Verdict;
            counts[verdict] = counts.GetValueOrDefault(verdict) + 1;
        }

        var rates = new VerdictRates { Name = $"{FindingCatalog.NameOf(finding.Kind)}: {name}", Counts = counts };
        TestContext.Current.TestOutputHelper?.WriteLine(rates.ToString());
        return rates;
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture,
        $"{Name,-62} supported {Supported,6:P1}  refuted {Refuted,6:P1}  noDifference {NoDifference,6:P1}  "
            + $"inconclusive {ShareOf(FindingVerdict.Inconclusive),6:P1}  notTested {ShareOf(FindingVerdict.NotTested),6:P1}");

    private double ShareOf(FindingVerdict verdict) => Counts.GetValueOrDefault(verdict) / (double)Experiments;
}
