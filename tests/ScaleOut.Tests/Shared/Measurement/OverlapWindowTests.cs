namespace ScaleOut.Tests.Shared.Measurement;

public sealed class OverlapWindowTests
{
    private static readonly DateTimeOffset Zero = DateTimeOffset.FromUnixTimeSeconds(1_000);

    [Fact]
    public void From_WorkersStartAndEndWithinSeconds_KeepsWholeSecondsPastWarmup()
    {
        // Past warm-up at 1003.2 and 1003.5; the first to finish does so at 1009.9.
        var window = OverlapWindow.From([[Span(0.2, 9.9)], [Span(0.5, 12)]], TimeSpan.FromSeconds(3));

        Assert.Equal([1_004, 1_005, 1_006, 1_007, 1_008], window.Seconds);
        Assert.True(window.IsUsable);
    }

    [Fact]
    public void From_EdgesOnWholeSeconds_KeepsTheFirstAndNotTheEnd() =>
        Assert.Equal([1_000, 1_001], OverlapWindow.From([[Span(0, 2)]], TimeSpan.Zero).Seconds);

    [Fact]
    public void From_GapBetweenLegs_LeavesOutEverySecondItTouches()
    {
        var window = OverlapWindow.From([[Span(0, 3.9), Span(5.1, 9)], [Span(0, 9)]], TimeSpan.Zero);

        Assert.Equal([1_000, 1_001, 1_002, 1_006, 1_007, 1_008], window.Seconds);
    }

    [Fact]
    public void From_GapThatEndsOnAWholeSecond_KeepsThatSecond() =>
        Assert.Equal([1_000, 1_001, 1_003, 1_004], OverlapWindow.From([[Span(0, 2), Span(3, 5)]], TimeSpan.Zero).Seconds);

    [Fact]
    public void From_LegsWithoutGap_LosesNothing() =>
        Assert.Equal(4, OverlapWindow.From([[Span(0, 2.5), Span(2.5, 4)]], TimeSpan.Zero).Seconds.Count);

    [Fact]
    public void From_LateWorker_CountsItsOwnWarmup() =>
        Assert.Equal([1_007, 1_008], OverlapWindow.From([[Span(0, 9)], [Span(5, 9)]], TimeSpan.FromSeconds(2)).Seconds);

    [Fact]
    public void From_FewerThanFiveSeconds_IsNotUsable()
    {
        Assert.False(OverlapWindow.From([[Span(0, 4.9)]], TimeSpan.Zero).IsUsable);
        Assert.True(OverlapWindow.From([[Span(0, 5)]], TimeSpan.Zero).IsUsable);
    }

    [Fact]
    public void From_WorkerWithoutLegsOrNoWorkerOrNoCommonTime_IsEmpty()
    {
        Assert.Empty(OverlapWindow.From([[Span(0, 9)], []], TimeSpan.Zero).Seconds);
        Assert.Empty(OverlapWindow.From([], TimeSpan.Zero).Seconds);
        Assert.Empty(OverlapWindow.From([[Span(0, 2)], [Span(3, 9)]], TimeSpan.Zero).Seconds);
    }

    [Fact]
    public void Contains_AnySecond_IsThatOfTheList()
    {
        var window = OverlapWindow.From([[Span(0, 2), Span(3, 5)]], TimeSpan.Zero);

        Assert.True(window.Contains(1_001));
        Assert.False(window.Contains(1_002));
    }

    [Fact]
    public void From_Interruption_WarmsUpAgain()
    {
        IReadOnlyList<WorkSpan> interruption = [new(Zero.AddSeconds(4.2), Zero.AddSeconds(200))];
        IReadOnlyList<IReadOnlyList<WorkSpan>> workers = [[Span(0, 4), Span(200, 206)], [Span(0, 4.2), Span(201, 206)]];

        var warmup = TimeSpan.FromSeconds(1);
        Assert.Equal([1_001, 1_002, 1_003, 1_202, 1_203, 1_204, 1_205], OverlapWindow.From(workers, warmup, interruption).Seconds);
        Assert.Equal([1_001, 1_002, 1_003, 1_201, 1_202, 1_203, 1_204, 1_205], OverlapWindow.From(workers, warmup).Seconds);
    }

    [Fact]
    public void From_LegThatBeginsBeforeTheOtherEnds_LeavesOutWhatBothClaim() =>
        Assert.Equal([1_000, 1_001, 1_003, 1_004], OverlapWindow.From([[Span(0, 2.4), Span(2.1, 5)]], TimeSpan.Zero).Seconds);

    private static WorkSpan Span(double from, double to) => new(Zero.AddSeconds(from), Zero.AddSeconds(to));
}
