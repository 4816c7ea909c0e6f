namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>
/// Corrects the verdicts of an experiment for the number of its findings. The more findings there are, the likelier it is that chance makes
/// one of them wrong. Holm's correction keeps the share of experiments with any wrong verdict at 5% or less: it multiplies the smallest p
/// of m findings by m, the next one by m - 1, and so on. No adjusted p is smaller than the one before it. If several experiments ask the
/// same question, each p is also multiplied by their number.
/// </summary>
internal static class FamilyOfFindings
{
    /// <summary>Smallest p that is reported.</summary>
    private const double MinP = 1e-9;

    /// <summary>Number of halvings of the search for p. They find it to within 0.01% of its value.</summary>
    private const int Halvings = 18;

    /// <summary>The smallest level at which a verdict still stands. Null if the claim is not decided.</summary>
    /// <param name="verdict">At the default level.</param>
    public static double? PValueOf(FindingVerdict verdict, Func<Verdicts, FindingVerdict> judge)
    {
        if (!verdict.IsDecided())
            return null;
        return Math.Exp(Halving.Find(
            Math.Log(Verdicts.DefaultLevel), Math.Log(MinP), Halvings, level => judge(new Verdicts(Math.Exp(level))) == verdict));
    }

    /// <summary>
    /// Returns the findings with their verdicts after Holm's correction. Findings that were not tested or are assumed do not count.
    /// </summary>
    /// <param name="interimAnalyses">Number of experiments that ask the same question, including this one.</param>
    public static IReadOnlyList<FindingResult> Correct(IReadOnlyList<FindingResult> findings, int interimAnalyses = 1)
    {
        var tested = findings.Count(
            finding => finding.Verdict is not (FindingVerdict.NotTested or FindingVerdict.Assumed));
        var corrected = findings.ToArray();
        var (rank, most) = (0, 0.0);
        foreach (var (index, finding) in findings.Index().Where(entry => entry.Item.PValue is not null).OrderBy(entry => entry.Item.PValue))
        {
            most = Math.Max(most, Math.Min(1, interimAnalyses * (tested - rank++) * finding.PValue!.Value));
            corrected[index] = finding with
            {
                Holm = new HolmVerdict(
                    most <= Verdicts.DefaultLevel ? finding.Verdict : FindingVerdict.Inconclusive, most, tested, interimAnalyses),
            };
        }

        return corrected;
    }
}
