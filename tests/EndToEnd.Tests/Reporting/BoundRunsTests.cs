using static ScaleOut.Tests.Support.Runs.BuiltReports;

namespace ScaleOut.Tests.EndToEnd.Reporting;

/// <summary>What bound a run, from its legs to the sentences of its report.</summary>
public sealed class BoundRunsTests
{
    /// <summary>The partition is never at 95% of its 500 RU/s, but its 429s are 31% of all attempts.</summary>
    [Theory]
    [InlineData(62, BoundBy.Partition, 0.31)]
    [InlineData(8, BoundBy.Latency, 0.04)]
    public void Build_ThrottledPartitionBelowItsLimit_IsBlamedFromFivePercentOfTheAttempts(int throttled, BoundBy expected, double share)
    {
        var hot = Legs.Partition("", "20", 0, [.. Enumerable.Repeat(420.0, 10)]);
        var leg = Legs.Leg(0, inserted: 100).With(counts => counts with { Attempts = 200, Throttled = throttled }) with
        {
            Seconds = Legs.Seconds(0, 10, inserted: 10, requestUnits: 540),
            Partitions =
            [
                hot with { Counts = hot.Counts with { Throttled = throttled } },
                Legs.Partition("20", "FF", 0, [.. Enumerable.Repeat(120.0, 10)]),
            ],
        };
        var report = Build(Ending(verified: 200), leg, Legs.Leg(1, inserted: 100));

        Assert.Equal((expected, share, 0.0),
            (report.BoundBy, report.Utilization!.PartitionThrottledShare, report.Utilization.PartitionSecondsAtLimit));
        if (expected == BoundBy.Partition)
            AssertText.Has(Sentences.Bound(report)!, "31% of all attempts were 429s of it", "keys that spread more evenly");
    }

    /// <summary>A share of the container's RU/s is above that of one of its two partitions.</summary>
    [Theory]
    [InlineData(0.8, true)]
    [InlineData(0.4, false)]
    public void Build_CapAboveAPartitionsShare_SaysThatItDoesNotProtectThePartition(double cap, bool warns)
    {
        var hot = Legs.Partition("", "20", 0, [.. Enumerable.Repeat(400.0, 10)]);
        var leg = Legs.Leg(0, inserted: 100) with
        {
            Partitions = [hot with { Counts = hot.Counts with { Throttled = 50 } }, Legs.Partition("20", "FF", 0, 1)],
        };
        var spec = Spec with { Workload = new() { MaxRequestUnitShare = cap } };
        var report = Build(Ending(verified: 200) with { Spec = spec }, leg, Legs.Leg(1, inserted: 100));
        Assert.Equal(warns, report.Warnings.Any(text => text.StartsWith(
            "The workers may use 800 RU/s (workload.maxRequestUnitShare 0.8), and one physical partition has 500: ",
            StringComparison.Ordinal)));
    }

    /// <summary>Ten documents a second for two seconds, then nothing but errors: no rate and no latency is a verdict.</summary>
    [Fact]
    public void Build_ErrorsAloneAfterTheFirstSeconds_AreTheHeadlineAndTheVerdict()
    {
        SecondSample Second(int second, long inserted, long errors) =>
            new() { Second = 1_000 + second, Counts = new() { Inserted = inserted, Attempts = inserted + errors, Errors = errors } };
        var leg = Legs.Leg(0, inserted: 20).With(counts => counts with { Attempts = 36, Errors = 16 }) with
        {
            // Between two attempts there are seconds without any.
            Seconds = [Second(0, 10, 0), Second(1, 10, 0), .. new[] { 2, 3, 6, 9 }.Select(second => Second(second, 0, 4))],
            OtherErrors = new Dictionary<string, long> { ["503/20006"] = 16 },
        };
        var report = Build(EndingOfOne(verified: 20), leg);

        Assert.Equal((BoundBy.Errors, 1.0), (report.BoundBy, report.Utilization!.ErrorSeconds));
        var bound = Sentences.Bound(report)!;
        Assert.StartsWith(
            "Errors: 16 of 36 attempts ended in one, most of them 503/20006", Sentences.Headline(report), StringComparison.Ordinal);
        AssertText.Has(
            bound, "Bound by errors", "nothing else is judged", "says nothing about the throughput of Cosmos DB", "why the attempts");
        Assert.DoesNotContain("in flight", bound, StringComparison.Ordinal);
    }

    /// <summary>One error in ten attempts is an error, and not what bound the run.</summary>
    [Fact]
    public void Build_SomeErrors_AreNotTheVerdict()
    {
        var leg = Legs.Leg(0, inserted: 90) with
        {
            Seconds =
            [
                .. Legs.Seconds(0, 10, inserted: 9).Select(one => one with { Counts = one.Counts with { Attempts = 10, Errors = 1 } }),
            ],
        };
        var report = Build(EndingOfOne(verified: 90), leg);
        Assert.Equal((BoundBy.Latency, 0.0), (report.BoundBy, report.Utilization!.ErrorSeconds));
    }
}
