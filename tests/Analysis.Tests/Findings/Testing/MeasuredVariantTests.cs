using ScaleOut.Analysis.Findings.Testing;

namespace ScaleOut.Tests.Analysis.Findings.Testing;

public sealed class MeasuredVariantTests
{
    /// <summary>A load that came in bursts did not use its RU/s up, so another setting of the client can raise its rate.</summary>
    [Theory]
    [InlineData(BoundBy.RequestUnits, 0, BoundBy.RequestUnits)]
    [InlineData(BoundBy.RequestUnits, 1, BoundBy.RequestUnits)]
    [InlineData(BoundBy.RequestUnits, 2, null)]
    [InlineData(BoundBy.Partition, 0, BoundBy.Partition)]
    [InlineData(BoundBy.Partition, 2, null)]
    [InlineData(BoundBy.Rate, 0, BoundBy.Rate)]
    [InlineData(BoundBy.Latency, 0, null)]
    public void Cap_BoundInBursts_IsNone(BoundBy bound, int inBursts, BoundBy? cap)
    {
        var variant = new MeasuredVariant("a", new RunSpec(), [.. Enumerable.Range(0, 2).Select(run => Figures(bound, run < inBursts))]);

        Assert.Equal(cap, variant.Cap);
        Assert.Equal(bound is BoundBy.RequestUnits or BoundBy.Partition, variant.LeftOutOfScaling is not null);
    }

    private static RunFigures Figures(BoundBy bound, bool inBursts) => new()
    {
        RunId = "a", State = RunState.Complete, Rate = 100, RateIsOverlap = true, BoundBy = bound, CameInBursts = inBursts, Workers = 1,
        DistinctInstances = 1,
    };
}
