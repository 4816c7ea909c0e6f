namespace ScaleOut.Analysis.Findings.Testing;

/// <summary>
/// The verdicts of an experiment as a whole: of many findings one is wrong by chance more often than each of them is. Holm's correction
/// holds the share of experiments with any wrong verdict to 5%: the smallest p of m findings counts m times, the next one m - 1 times, and
/// so on, none less than the one before it. Where the same question is looked at several times, each p counts as often again.
/// </summary>
internal static class FamilyOfFindings
{
    /// <summary>A smaller p is not distinguished from 0.</summary>
    private const double MinP = 1e-9;

    /// <summary>They find a p to within 0.01% of itself.</summary>
    private const int Halvings = 18;

    /// <summary>The smallest level at which a verdict still stands; null for a claim without one.</summary>
    /// <param name="verdict">At the default level.</param>
    public static double? PValueOf(FindingVerdict verdict, Func<Verdicts, FindingVerdict> judge)
    {
        if (verdict is not (FindingVerdict.Supported or FindingVerdict.Refuted))
            return null;
        var (stands, falls) = (Math.Log(Verdicts.DefaultLevel), Math.Log(MinP));
        for (var halving = 0; halving < Halvings; halving++)
        {
            var middle = (stands + falls) / 2;
            if (judge(new Verdicts(Math.Exp(middle))) == verdict)
                stands = middle;
            else
                falls = middle;
        }

        return Math.Exp(stands);
    }

    /// <summary>
    /// The findings, each with what Holm's correction leaves of its verdict. What was not tested, or is assumed, is no part of it.
    /// </summary>
    /// <param name="looks">Experiments on the same question, this one included.</param>
    public static IReadOnlyList<FindingResult> Correct(IReadOnlyList<FindingResult> findings, int looks = 1)
    {
        var tested = findings.Count(
            finding => finding.Verdict is not (FindingVerdict.NotTested or FindingVerdict.Assumed));
        var corrected = findings.ToArray();
        var (rank, most) = (0, 0.0);
        foreach (var (index, finding) in findings.Index().Where(entry => entry.Item.PValue is not null).OrderBy(entry => entry.Item.PValue))
        {
            most = Math.Max(most, Math.Min(1, looks * (tested - rank++) * finding.PValue!.Value));
            corrected[index] = finding with
            {
                Holm = new HolmVerdict(most <= Verdicts.DefaultLevel ? finding.Verdict : FindingVerdict.Inconclusive, most, tested, looks),
            };
        }

        return corrected;
    }
}
