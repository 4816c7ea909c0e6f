namespace ScaleOut.Tests.EndToEnd.Findings;

/// <summary>
/// What limits mean for a claim: budgets, rates asked for, shared machines, and indexing modes that the account does not use.
/// </summary>
public sealed class LimitsTests
{
    [Theory]
    [InlineData(FindingKind.DirectBeatsGateway)]
    [InlineData(FindingKind.MoreCores)]
    [InlineData(FindingKind.ClientConsistency)]
    [InlineData(FindingKind.MaxConnections)]
    [InlineData(FindingKind.InstancesLikeCores)]
    [InlineData(FindingKind.Batching)]
    [InlineData(FindingKind.Bulk)]
    public void Evaluate_BudgetBindsBoth_IsNotTested(FindingKind kind)
    {
        var result = Evaluation.OfPair(kind, 1, Bound(BoundBy.RequestUnits), Bound(BoundBy.RequestUnits));
        Assert.Equal(
            (FindingVerdict.NotTested, "both variants were bound by request units, which set the rate of both"),
            (result.Verdict, result.Reason));
    }

    [Fact]
    public void Evaluate_BudgetBindsTheBetterOne_SupportsAGainButRefutesNothing()
    {
        Assert.Equal(
            FindingVerdict.Supported, Evaluation.OfPair(FindingKind.DirectBeatsGateway, 1.3, changed: Bound(BoundBy.RequestUnits)).Verdict);
        var slower = Evaluation.OfPair(FindingKind.DirectBeatsGateway, 0.9, changed: Bound(BoundBy.Partition));
        Assert.Equal((FindingVerdict.Inconclusive, "b was held back by one physical partition"), (slower.Verdict, slower.Reason));
    }

    [Fact]
    public void Evaluate_BudgetBindsTheBaseline_SupportsNothing() =>
        Assert.Equal(
            "a was held back by the rate asked for", Evaluation.OfPair(FindingKind.MoreCores, 1.3, baseline: Bound(BoundBy.Rate)).Reason);

    [Fact]
    public void Evaluate_SamenessUnderABudget_ProvesNothing()
    {
        var equal = Evaluation.OfPair(FindingKind.ClientConsistency, 1, changed: Bound(BoundBy.RequestUnits));
        Assert.Equal((FindingVerdict.Inconclusive, "b was held back by request units"), (equal.Verdict, equal.Reason));
        Assert.Equal(
            FindingVerdict.Refuted, Evaluation.OfPair(FindingKind.ClientConsistency, 1.5, changed: Bound(BoundBy.RequestUnits)).Verdict);
        Assert.Equal(
            FindingVerdict.Inconclusive,
            Evaluation.OfPair(FindingKind.ClientConsistency, 0.5, changed: Bound(BoundBy.RequestUnits)).Verdict);
    }

    [Fact]
    public void Evaluate_IndexingUnderABudget_IsTested() =>
        Assert.Equal(
            FindingVerdict.Refuted,
            Evaluation.OfPair(FindingKind.IndexingMode, 1.2, Bound(BoundBy.RequestUnits), Bound(BoundBy.RequestUnits)).Verdict);

    [Fact]
    public void Evaluate_LazyIndexingThatTheAccountDoesNotKeep_IsNotTested()
    {
        var lost = Evaluation.OfPair(FindingKind.IndexingMode, 1, changed: truth => truth with { KeptIndexing = false });
        Assert.Equal((FindingVerdict.NotTested, "the account did not keep Lazy indexing"), (lost.Verdict, lost.Reason));
        var unknown = Evaluation.OfPair(
            FindingKind.IndexingMode, 1, changed: truth => truth with { KeptIndexing = null, Simulated = false });
        Assert.Equal(
            (FindingVerdict.NotTested, "it is not known whether the account kept Lazy indexing"), (unknown.Verdict, unknown.Reason));
        Assert.Equal(FindingVerdict.Supported, Evaluation.OfPair(FindingKind.IndexingMode, 1).Verdict);
    }

    [Theory]
    [InlineData(1, FindingVerdict.Supported)]
    [InlineData(1.5, FindingVerdict.Refuted)]
    public void Evaluate_Consistency_AlwaysSaysThatItDoesNotChangeAWrite(double ratio, FindingVerdict verdict)
    {
        var result = Evaluation.OfPair(FindingKind.ClientConsistency, ratio);
        Assert.Equal(verdict, result.Verdict);
        Assert.Contains("A client's consistency does not change a write", result.Sentence, StringComparison.Ordinal);
        Assert.Contains(
            "A client's consistency does not change a write",
            Evaluation.OfPair(FindingKind.ClientConsistency, 1, Bound(BoundBy.RequestUnits), Bound(BoundBy.RequestUnits)).Sentence,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(FindingKind.InstancesLikeCores)]
    [InlineData(FindingKind.MoreCores)]
    public void Evaluate_SharedMachineBindsAScaleOut_IsNotTested(FindingKind kind)
    {
        var result = Evaluation.OfPair(kind, 1, changed: Bound(BoundBy.Machine));
        Assert.Equal((FindingVerdict.NotTested, "the shared machine bound the runs of b"), (result.Verdict, result.Reason));
        var hidden = Evaluation.OfPair(
            kind, 1, changed: truth => truth with { BoundBy = BoundBy.Client, MachineShare = 0.97, Simulated = true });
        Assert.Equal((FindingVerdict.NotTested, "the shared machine bound the runs of b"), (hidden.Verdict, hidden.Reason));
    }

    /// <summary>A machine at its limit makes all settings alike, and makes a setting worse if it costs the machine more.</summary>
    [Theory]
    [InlineData(FindingKind.DirectBeatsGateway, 1.5)]
    [InlineData(FindingKind.ClientConsistency, 1)]
    [InlineData(FindingKind.MaxConnections, 1)]
    [InlineData(FindingKind.IndexingMode, 1)]
    [InlineData(FindingKind.Bulk, 1.5)]
    [InlineData(FindingKind.ParallelQuery, 1.5)]
    [InlineData(FindingKind.IndexingThrottles, 2)]
    public void Evaluate_SaturatedMachine_SupportsNothing(FindingKind kind, double ratio)
    {
        var result = Evaluation.OfPair(kind, ratio, changed: Bound(BoundBy.Machine));
        Assert.Equal((FindingVerdict.NotTested, "the shared machine bound the runs of b"), (result.Verdict, result.Reason));
    }

    /// <summary>RU and calls per operation are the same on any machine.</summary>
    [Fact]
    public void Evaluate_SaturatedMachine_TestsWhatIsNoFigureOfTime()
    {
        static Truth Saturated(Truth truth) => truth with { BoundBy = BoundBy.Machine, MachineShare = 0.99, DelaysSlipped = true };

        Assert.Equal(FindingVerdict.Supported, Evaluation.OfPair(FindingKind.FittingPartitionKey, 2, Saturated, Saturated).Verdict);
        Assert.Equal(FindingVerdict.Refuted, Evaluation.OfPair(FindingKind.FittingPartitionKey, 0.5, Saturated, Saturated).Verdict);
    }

    /// <summary>Request units set the rate of such a run, but the machine affects its latencies too.</summary>
    [Theory]
    [InlineData(FindingKind.ParallelQuery, 1.5, FindingVerdict.NotTested)]
    [InlineData(FindingKind.TableStorage, 1.5, FindingVerdict.NotTested)]
    [InlineData(FindingKind.FittingPartitionKey, 2, FindingVerdict.Assumed)]
    public void Evaluate_SaturatedMachineBesideTheBudget_TestsNoLatency(FindingKind kind, double ratio, FindingVerdict verdict)
    {
        static Truth Saturated(Truth truth) => truth with { BoundBy = BoundBy.RequestUnits, MachineShare = 0.97, Simulated = true };

        var result = Evaluation.OfPair(kind, ratio, Saturated, Saturated);

        Assert.Equal(verdict, result.Verdict);
        if (verdict == FindingVerdict.NotTested)
            Assert.StartsWith("the shared machine bound the runs of a", result.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Evaluate_SaturatedMachineInFewRuns_LeavesThoseOut()
    {
        var result = Evaluation.OfPair(FindingKind.DirectBeatsGateway, 1.5, changed: truth => truth with { Saturated = 2 });
        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        Assert.Contains("2 of 5 runs of b are left out: a machine that its workers shared was at its limit.", result.Notes);
    }

    /// <summary>A makespan rate cannot be compared with an overlap rate.</summary>
    [Fact]
    public void Evaluate_VariantWithoutOverlap_IsNotTested()
    {
        var result = Evaluation.OfPair(FindingKind.DirectBeatsGateway, 1.5, changed: truth => truth with { Overlapping = 0 });
        Assert.Equal(
            (FindingVerdict.NotTested, "no run of b has 5 seconds with all workers at work"), (result.Verdict, result.Reason));
    }

    [Fact]
    public void Evaluate_FewRunsWithoutOverlap_LeavesThoseOut()
    {
        var result = Evaluation.OfPair(FindingKind.MaxConnections, 1, baseline: truth => truth with { Overlapping = 3 });
        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        Assert.Contains(
            "2 of 5 runs of a are left out: under 5 seconds with all workers at work.",
            result.Notes);
    }

    [Fact]
    public void Evaluate_ClaimThatIsNotAboutRates_NeedsNoOverlap() => Assert.Equal(
        FindingVerdict.Supported,
        Evaluation.OfPair(
            FindingKind.FittingPartitionKey, 2, truth => truth with { Overlapping = 0 }, truth => truth with { Overlapping = 0 }).Verdict);

    [Fact]
    public void Evaluate_UnequalCores_AreNoTestOfInstances()
    {
        var unequal = Evaluation.OfPair(FindingKind.InstancesLikeCores, 1, changed: truth => truth with { Cores = 4 });
        Assert.Equal(
            (FindingVerdict.NotTested, "the variants had 4 and 8 cores in all; they must have the same"),
            (unequal.Verdict, unequal.Reason));
        var fewer = Evaluation.OfPair(FindingKind.MoreCores, 1.5, changed: truth => truth with { Cores = 2 });
        Assert.Equal(
            (FindingVerdict.NotTested, "the workers of a had 2 cores each, those of b 2: not more"), (fewer.Verdict, fewer.Reason));
    }

    [Fact]
    public void Evaluate_CallsNotCounted_IsNotTested() =>
        Assert.Equal(
            "calls per operation were not measured in every run",
            Evaluation.OfPair(FindingKind.FittingPartitionKey, 2, changed: truth => truth with { Calls = null }).Reason);

    [Fact]
    public void Evaluate_DelaysSlippedInEveryRunOfAVariant_IsNotTested()
    {
        var result = Evaluation.OfPair(FindingKind.DirectBeatsGateway, 1.5, changed: truth => truth with { DelaysSlipped = true });

        Assert.Equal(FindingVerdict.NotTested, result.Verdict);
        Assert.Equal("no run of b has responses in time", result.Reason);
    }

    /// <summary>A rate that a budget sets is the same on any machine, and so are RU. Latencies are not.</summary>
    [Theory]
    [InlineData(FindingKind.DirectBeatsGateway, true, FindingVerdict.Supported)]
    [InlineData(FindingKind.DirectBeatsGateway, false, FindingVerdict.NotTested)]
    [InlineData(FindingKind.ParallelQuery, true, FindingVerdict.NotTested)]
    [InlineData(FindingKind.FittingPartitionKey, false, FindingVerdict.Supported)]
    public void Evaluate_LateDelays_TestWhatTheyDoNotChange(FindingKind kind, bool isFixed, FindingVerdict verdict)
    {
        var pair = Pairs.From(kind, 1.5);
        var measured = Truth.MeasureExactly(pair)
            .Select(variant => variant.With(run => run with { DelaysSlipped = true, RateIsFixed = isFixed })).ToList();

        var result = FindingTests.Evaluate(new FindingSpec { Kind = kind, Variants = [.. pair.Select(truth => truth.Name)] }, measured);
        Assert.Equal(verdict, result.Verdict);
    }

    [Theory]
    [InlineData(true, 0, $"{DelayReport.CameLate}.")]
    [InlineData(false, 1, "a worker was lost and its work was begun again, so the figures contain the outage.")]
    public void Evaluate_OneRunIsDisturbed_LeavesItOutWithANote(bool slipped, int lostLegs, string note)
    {
        var pair = Pairs.From(FindingKind.DirectBeatsGateway, 1.5);
        var measured = Truth.MeasureExactly(pair).ToList();
        // If this run counted, it would reverse the verdict.
        var rate = measured[1].Repeats[0].Rate / 100;
        var disturbed = measured[1].Repeats[0];
        measured[1] = measured[1].With(run => ReferenceEquals(run, disturbed)
            ? run with { Rate = rate, DelaysSlipped = slipped, LostLegs = lostLegs }
            : run);

        var result = FindingTests.Evaluate(
            new FindingSpec { Kind = FindingKind.DirectBeatsGateway, Variants = [.. pair.Select(truth => truth.Name)] }, measured);

        Assert.Equal(FindingVerdict.Supported, result.Verdict);
        Assert.InRange(result.Effect!.Value, 1.49, 1.51);
        Assert.Contains($"1 of 5 runs of b are left out: {note}", result.Notes);
    }

    [Theory]
    [InlineData(FindingKind.FittingPartitionKey, FindingVerdict.NotTested)]
    [InlineData(FindingKind.Bulk, FindingVerdict.NotTested)]
    [InlineData(FindingKind.DirectBeatsGateway, FindingVerdict.Supported)]
    public void Evaluate_LayoutThatTheServiceDoesNotGive_TestsOnlyWhatDoesNotDependOnIt(FindingKind kind, FindingVerdict verdict)
    {
        Assert.Equal(FindingVerdict.Supported, Evaluation.OfPair(kind, 2).Verdict);

        var result = Evaluation.OfPair(kind, 2, changed: truth => truth with { LayoutIsCapped = true });

        Assert.Equal(verdict, result.Verdict);
        Assert.Equal(
            verdict == FindingVerdict.NotTested
                ? "the simulated account gave b other physical partitions than the service does, and the claim depends on them"
                : null,
            result.Reason);
    }

    [Theory]
    [InlineData(false, FindingVerdict.Supported)]
    [InlineData(true, FindingVerdict.NotTested)]
    public void Evaluate_LadderWhoseLayoutTheServiceDoesNotGive_IsNotTested(bool capped, FindingVerdict verdict) => Assert.Equal(
        verdict,
        Evaluation.From(
            FindingKind.MoreRequestUnits,
            [
                new Truth { Name = "low", Spec = WithThroughput(100_000), Rate = 1_000, BoundBy = BoundBy.RequestUnits },
                new Truth { Name = "high", Spec = WithThroughput(400_000), Rate = 3_000, LayoutIsCapped = capped },
            ]).Verdict);

    private static RunSpec WithThroughput(int throughput) => new() { Container = new() { Throughput = throughput } };

    private static Func<Truth, Truth> Bound(BoundBy by) => truth => truth with { BoundBy = by };
}
