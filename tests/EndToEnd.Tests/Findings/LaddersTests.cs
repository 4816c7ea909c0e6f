namespace ScaleOut.Tests.EndToEnd.Findings;

public sealed class LaddersTests
{
    private static readonly (int, double)[] Hill = [(10, 927), (20, 1_138), (40, 1_500), (60, 1_480), (100, 1_300)];

    [Fact]
    public void Evaluate_PeakWithinTheLevels_SaysWhereItIs()
    {
        var result = Evaluation.From(FindingKind.ConcurrencyPeak, Ladder.OfConcurrency([.. Hill]));
        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        // Four workers with 40 operations each.
        Assert.Equal(("c40", 160, true), (result.Peak!.Variant, result.Peak.Concurrency, result.Peak.Confirmed));
        Assert.Equal([true, true, false, false], result.Peak.Steps.Select(step => step.Accepted));
        Assert.EndsWith("; that is the peak: more in flight, up to 400, wrote no more.", result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_RateStillRises_HasNoPeakYet()
    {
        var result = Evaluation.From(FindingKind.ConcurrencyPeak, Ladder.OfConcurrency([.. Hill.Take(3)]));
        Assert.Equal(
            (FindingVerdict.Inconclusive, "the rate still rose at the highest concurrency, so the peak was not reached"),
            (result.Verdict, result.Reason));
    }

    [Fact]
    public void Evaluate_BudgetEndsTheRise_IsNoPeak()
    {
        var ladder = Ladder.OfConcurrency([.. Hill])
            .Select((truth, i) => i < 2 ? truth : truth with { BoundBy = BoundBy.RequestUnits, Rate = 1_500 }).ToList();
        var result = Evaluation.From(FindingKind.ConcurrencyPeak, ladder);
        Assert.Equal(FindingVerdict.Inconclusive, result.Verdict);
        Assert.EndsWith("was bound by request units, so it is not concurrency that ends the rise", result.Reason, StringComparison.Ordinal);
        Assert.Equal(
            FindingVerdict.NotTested,
            Evaluation.From(
                FindingKind.ConcurrencyPeak, [.. ladder.Select(truth => truth with { BoundBy = BoundBy.RequestUnits })]).Verdict);
    }

    [Fact]
    public void Evaluate_SingleUnit_PredictsEachFleetAndJudgesByTheLargestThatCounts()
    {
        var ladder = Ladder.OfWorkers(new ScalabilityLaw(0, 0, 1_000), 1, 2, 4, 8)
            .Select((truth, i) => i < 3 ? truth : truth with { BoundBy = BoundBy.Machine, Rate = 5_000 }).ToList();
        var result = Evaluation.From(FindingKind.SingleUnitPredictsFleet, ladder);
        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        Assert.Equal(
            [(2, null), (4, null), (8, "bound by the shared machine")], result.Fleet!.Select(fleet => (fleet.Workers, fleet.LeftOut)));
        Assert.Equal(8_000, result.Fleet![2].Predicted, 8_000 * 0.001);
        Assert.Equal(0.625, result.Fleet[2].Efficiency, 0.001);
        Assert.Contains("w8 does not count: it was bound by the shared machine.", result.Notes);
        Assert.Matches("^One worker's 1,000 documents per second predict .* for 4; they wrote .*, an efficiency of 1", result.Sentence);
    }

    [Fact]
    public void Evaluate_EveryFleetBoundByTheMachine_IsNotTested()
    {
        var ladder = Ladder.OfWorkers(new ScalabilityLaw(0.1, 0, 1_000), 1, 2, 4)
            .Select((truth, i) => i == 0 ? truth : truth with { BoundBy = BoundBy.Machine }).ToList();
        var result = Evaluation.From(FindingKind.SingleUnitPredictsFleet, ladder);
        Assert.Equal((FindingVerdict.NotTested, "every fleet was bound by the shared machine"), (result.Verdict, result.Reason));
        Assert.Equal(2, result.Fleet!.Count);
    }

    [Fact]
    public void Evaluate_FixedRates_SayWhatTheyDoNotProve()
    {
        var ladder = Ladder.OfWorkers(new ScalabilityLaw(0, 0, 100), 1, 2, 4).Select(truth => truth with { BoundBy = BoundBy.Rate })
            .ToList();
        var result = Evaluation.From(FindingKind.SingleUnitPredictsFleet, ladder);
        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        Assert.Contains(
            result.Notes, note => note.StartsWith("Every worker was asked for a fixed rate and kept it", StringComparison.Ordinal));
    }

    [Fact]
    public void Evaluate_ThroughputLadder_SaysWhereTheClientIsTheLimit()
    {
        var result = Evaluation.From(FindingKind.MoreRequestUnits, Ladder.OfThroughput(6_000, 10_000, 20_000, 40_000, 80_000));
        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        Assert.EndsWith("; from 40,000 RU/s on the account is no longer the limit.", result.Sentence, StringComparison.Ordinal);
        Assert.Equal(6_000 / (10_000 / 5.71), result.Effect!.Value, 2);
        Assert.EndsWith(
            "; the client's own limit was not reached.",
            Evaluation.From(FindingKind.MoreRequestUnits, Ladder.OfThroughput(1e6, 10_000, 20_000)).Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_ThroughputThatBoundNothing_IsNotTested() => Assert.Equal(
        "no variant below the highest was bound by request units, so none of them shows whether more would help",
        Evaluation.From(FindingKind.MoreRequestUnits, Ladder.OfThroughput(100, 10_000, 20_000)).Reason);

    [Fact]
    public void Evaluate_SaturatedMachineOnAThroughputLadder_IsNotTested()
    {
        var ladder = Ladder.OfThroughput(6_000, 10_000, 20_000, 40_000, 80_000)
            .Select((truth, i) => i < 2 ? truth : truth with { BoundBy = BoundBy.Machine }).ToList();
        var result = Evaluation.From(FindingKind.MoreRequestUnits, ladder);
        Assert.Equal(
            (FindingVerdict.NotTested, "the shared machine bound the runs of t40000, t80000"), (result.Verdict, result.Reason));
    }

    [Fact]
    public void Evaluate_RungWithoutOverlap_IsNotInTheLaw()
    {
        var ladder = Ladder.OfWorkers(new ScalabilityLaw(0.05, 0.002, 1_000), 1, 2, 3, 4, 6, 8)
            .Select(truth => truth.Name == "w8" ? truth with { Rate = 1_000, Overlapping = 0 } : truth).ToList();
        var result = Evaluation.From(FindingKind.ScalabilityLaw, ladder);
        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        Assert.Equal(6, result.Law!.MaxWorkers);
        Assert.Contains(
            "The fit leaves out 8 workers: under 5 seconds with all workers at work.", result.Notes);
    }

    [Fact]
    public void Evaluate_HotPartition_RefutesThatMoreRequestUnitsHelp()
    {
        var result = Evaluation.From(
            FindingKind.MoreRequestUnits,
            [Ladder.OfThroughput(10_000, 1_000, BoundBy.Partition), Ladder.OfThroughput(20_000, 999, BoundBy.Partition)]);
        Assert.Equal(FindingVerdict.Refuted, result.Verdict);
        Assert.EndsWith(
            "but the step from 10,000 to 20,000 RU/s gained nothing, though request units were the limit.", result.Sentence,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_ScalabilityLaw_LeavesOutWhatOtherLimitsBound()
    {
        var law = new ScalabilityLaw(0.05, 0.002, 1_000);
        var ladder = Ladder.OfWorkers(law, 1, 2, 3, 4, 6, 8, 12)
            .Select(truth => truth.Name == "w12" ? truth with { BoundBy = BoundBy.RequestUnits, Rate = 4_000 } : truth).ToList();
        var result = Evaluation.From(FindingKind.ScalabilityLaw, ladder);
        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        Assert.Equal(0.05, result.Law!.Law!.Alpha, 3);
        Assert.Equal(0.002, result.Law.Law.Beta, 3);
        Assert.Equal(8, result.Law.MaxWorkers);
        Assert.Contains("The fit leaves out 12 workers: bound by request units.", result.Notes);
        Assert.Contains("which is beyond what was measured", result.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_ScalabilityLawWithTooFewPoints_IsNotTested()
    {
        var ladder = Ladder.OfWorkers(new ScalabilityLaw(0.05, 0, 1_000), 1, 2, 3, 4, 6, 8)
            .Select((truth, i) => i < 4 ? truth : truth with { BoundBy = BoundBy.Machine }).ToList();
        var result = Evaluation.From(FindingKind.ScalabilityLaw, ladder);
        Assert.Equal(FindingVerdict.NotTested, result.Verdict);
        Assert.Equal(
            "the fit needs 5 different numbers of workers, 4 can be used; left out: 6, 8 (bound by the shared machine)", result.Reason);
        Assert.Equal(30, result.Law!.Points.Count);
    }

    [Theory]
    [InlineData(FindingKind.ConcurrencyPeak)]
    [InlineData(FindingKind.MoreRequestUnits)]
    [InlineData(FindingKind.SingleUnitPredictsFleet)]
    [InlineData(FindingKind.ScalabilityLaw)]
    public void Evaluate_SingleRepeat_IsNeverAVerdict(FindingKind kind)
    {
        var ladder = kind switch
        {
            FindingKind.ConcurrencyPeak => Ladder.OfConcurrency([.. Hill]),
            FindingKind.MoreRequestUnits => Ladder.OfThroughput(6_000, 10_000, 20_000, 40_000),
            _ => Ladder.OfWorkers(new ScalabilityLaw(0.1, 0.01, 1_000), 1, 2, 3, 4, 6, 8),
        };
        var result = Evaluation.From(kind, ladder, repeats: 1);
        Assert.Equal(
            (FindingVerdict.Inconclusive, "a single run of a variant has no interval; repeat the experiment"),
            (result.Verdict, result.Reason));
    }
}
