namespace ScaleOut.Tests.Analysis.Statistics;

public sealed class ScalabilityLawTests
{
    [Fact]
    public void PeakWorkersAndLimit_ByParameters_AreTheLaws()
    {
        var law = new ScalabilityLaw(0.02, 0.02, 1);
        Assert.Equal(7, law.PeakWorkers!.Value, 12);
        Assert.Equal(law.RateAt(7), law.Limit!.Value, 12);
        Assert.Equal((null, 50.0), (new ScalabilityLaw(0.02, 0, 1).PeakWorkers, new ScalabilityLaw(0.02, 0, 1).Limit!.Value));
        Assert.Equal((null, null), (new ScalabilityLaw(0, 0, 5).PeakWorkers, new ScalabilityLaw(0, 0, 5).Limit));
        Assert.Equal(1, new ScalabilityLaw(1, 0, 5).PeakWorkers);
        Assert.Equal((1.0, 5.0), (new ScalabilityLaw(1.5, 0, 5).PeakWorkers!.Value, new ScalabilityLaw(1.5, 0, 5).Limit!.Value));
    }
}
