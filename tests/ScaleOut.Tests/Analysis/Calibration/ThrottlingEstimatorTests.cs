using ScaleOut.Analysis.Calibration;

namespace ScaleOut.Tests.Analysis.Calibration;

public sealed class ThrottlingEstimatorTests
{
    [Fact]
    public void RetryAfter_SparseEnds_ReachBeyondTheSample()
    {
        var range = ThrottlingEstimator.RetryAfter([300, 100, 110, 290])!.Value;

        Assert.Equal((100, 0, 100), (range.Min.Value, range.Min.Low, range.Min.High));
        Assert.Equal((300, 300, 490), (range.Max.Value, range.Max.Low, range.Max.High));
    }

    [Fact]
    public void RetryAfter_OneResponse_IsNothing() => Assert.Null(ThrottlingEstimator.RetryAfter([100]));

    [Fact]
    public void Admitted_WholeSeconds_LeavesOutTheFirstAndTheLast()
    {
        List<AdmittedOperation> admitted =
        [
            new(10.9, 500), new(11.05, 60), new(11.15, 40), new(12.05, 60), new(12.15, 40), new(13.05, 60), new(13.95, 40), new(14.1, 900),
        ];

        var (perSecond, perTenth) = ThrottlingEstimator.Admitted(admitted);

        Assert.Equal(100, perSecond!.Value, 9);
        Assert.Equal(3, perSecond.Count);
        Assert.Equal(60, perTenth[0].Value, 9);
        Assert.Equal(80 / 3.0, perTenth[1].Value, 9);
        Assert.Equal(40 / 3.0, perTenth[9].Value, 9);
    }

    [Fact]
    public void Admitted_TooShort_IsNothing()
    {
        var (perSecond, perTenth) = ThrottlingEstimator.Admitted([new(10.5, 5), new(11.5, 5)]);

        Assert.Null(perSecond);
        Assert.Empty(perTenth);
    }

    [Fact]
    public void Burst_NoMoreThanTheBudget_IsNone()
    {
        var burst = ThrottlingEstimator.Burst([new(10, 100), new(11, 100), new(12.9, 100)], perSecond: 100)!;

        Assert.Equal(0, burst.Value);
        Assert.Equal(0, burst.Low);
    }
}
