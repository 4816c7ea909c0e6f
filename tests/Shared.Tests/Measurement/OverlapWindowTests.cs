namespace ScaleOut.Tests.Shared.Measurement;

public sealed class OverlapWindowTests
{
    [Fact]
    public void From_WorkersStartAndEndWithinSeconds_KeepsWholeSecondsPastWarmup()
    {
        // The warm-ups end at 1003.2 and 1003.5; the first worker finishes at 1009.9.
        var window = OverlapWindow.From([[Span(0.2, 9.9)], [Span(0.5, 12)]], TimeSpan.FromSeconds(3));
        Assert.Equal([1_004, 1_005, 1_006, 1_007, 1_008], window);
        Assert.True(OverlapWindow.IsUsable(window));
    }

    [Fact]
    public void From_AnySpans_KeepsTheWholeSecondsInWhichAllWork()
    {
        // A span keeps the whole second that it begins with, and not the one that it ends at.
        Assert.Equal([1_000, 1_001], Seconds([Span(0, 2)]));
        // A gap between legs costs every second that it touches, but not the whole second that it ends with.
        Assert.Equal([1_000, 1_001, 1_002, 1_006, 1_007, 1_008], Seconds([Span(0, 3.9), Span(5.1, 9)], [Span(0, 9)]));
        Assert.Equal([1_000, 1_001, 1_003, 1_004], Seconds([Span(0, 2), Span(3, 5)]));
        // Legs without a gap cost nothing; legs that overlap cost the seconds that both claim.
        Assert.Equal(4, Seconds([Span(0, 2.5), Span(2.5, 4)]).Count);
        Assert.Equal([1_000, 1_001, 1_003, 1_004], Seconds([Span(0, 2.4), Span(2.1, 5)]));
        Assert.Equal([1_000, 1_004, 1_005], Seconds([Span(0, 3.5), Span(1.5, 6)]));
        // There is no second without workers, with a worker without legs, or where workers have no time in common.
        Assert.Empty(Seconds());
        Assert.Empty(Seconds([Span(0, 9)], []));
        Assert.Empty(Seconds([Span(0, 2)], [Span(3, 9)]));
    }

    [Fact]
    public void From_LateWorker_CountsItsOwnWarmup() =>
        Assert.Equal([1_007, 1_008], OverlapWindow.From([[Span(0, 9)], [Span(5, 9)]], TimeSpan.FromSeconds(2)));

    [Fact]
    public void From_FewerThanFiveSeconds_IsNotUsable()
    {
        Assert.False(OverlapWindow.IsUsable(OverlapWindow.From([[Span(0, 4.9)]], TimeSpan.Zero)));
        Assert.True(OverlapWindow.IsUsable(OverlapWindow.From([[Span(0, 5)]], TimeSpan.Zero)));
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
        IReadOnlyList<TimeRange> interruption = [new(Legs.Zero.AddSeconds(4.2), Legs.Zero.AddSeconds(200))];
        IReadOnlyList<IReadOnlyList<TimeRange>> workers = [[Span(0, 4), Span(200, 206)], [Span(0, 4.2), Span(201, 206)]];
        var warmup = TimeSpan.FromSeconds(1);
        Assert.Equal([1_001, 1_002, 1_003, 1_202, 1_203, 1_204, 1_205], OverlapWindow.From(workers, warmup, interruption));
        Assert.Equal([1_001, 1_002, 1_003, 1_201, 1_202, 1_203, 1_204, 1_205], OverlapWindow.From(workers, warmup));
    }

    /// <summary>Workers warm up again after a pause only if the interruption lies within it. It may touch both ends.</summary>
    [Theory]
    [InlineData(4, 200, new long[] { 1_001, 1_002, 1_003, 1_201, 1_202 })]
    [InlineData(300, 400, new long[] { 1_001, 1_002, 1_003, 1_200, 1_201, 1_202 })]
    [InlineData(-2, -1, new long[] { 1_001, 1_002, 1_003, 1_200, 1_201, 1_202 })]
    public void From_InterruptionWithinOrOutsideOfThePause_WarmsUpAgainOnlyWithin(double from, double to, long[] seconds) => Assert.Equal(
        seconds,
        OverlapWindow.From([[Span(0, 4), Span(200, 203)]], TimeSpan.FromSeconds(1), [Span(from, to)]));

    private static NumberSet Seconds(params TimeRange[][] workers) => OverlapWindow.From(workers, TimeSpan.Zero);

    private static TimeRange Span(double from, double to) => new(Legs.Zero.AddSeconds(from), Legs.Zero.AddSeconds(to));
}
