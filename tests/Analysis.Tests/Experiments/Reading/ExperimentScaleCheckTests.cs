namespace ScaleOut.Tests.Analysis.Experiments.Reading;

public sealed class ExperimentScaleCheckTests
{
    /// <summary>
    /// An insert of the default document is charged 7.05 RU, so 200,000 take 100 s at 14,100 RU/s and 50 s at 28,200 RU/s: five
    /// seconds of the shorter run are a share of 0.1.
    /// </summary>
    [Theory]
    [InlineData(0.05, "at 0.05 a run of 'short' takes about 2.5 s, less than the 5 s ", "The smallest scale that works is 0.1.")]
    [InlineData(0.099, "'short'", "The smallest scale that works is 0.1.")]
    [InlineData(0.1)]
    [InlineData(1)]
    public void ErrorOf_Scale_NamesTheShortestRunAndTheSmallestScale(double scale, params string[] expected)
    {
        var error = ExperimentScaleCheck.ErrorOf(Spec(scale));

        Assert.Equal(expected.Length == 0, error is null);
        Assert.All(expected, text => Assert.Contains(text, error!, StringComparison.Ordinal));
        if (expected.Length > 0)
            Assert.Null(ExperimentScaleCheck.ErrorOf(Spec(0.1)));
    }

    /// <summary>A run of 2.8 s in full size is too short at any scale, so it is left out.</summary>
    [Fact]
    public void ErrorOf_RunThatIsShortInFullSize_IsLeftOut() => Assert.Null(ExperimentScaleCheck.ErrorOf(Read(
        """
        {
          "base": { "documents": 40000, "container": { "throughput": 100000 }, "simulation": { "latency": "none" } },
          "variants": [ { "name": "a" } ], "scale": 0.01
        }
        """)));

    private static ExperimentSpec Spec(double scale) => Read(
        $$"""
        {
          "base": { "documents": 200000, "workers": 1, "container": { "throughput": 14100 }, "simulation": { "latency": "none" } },
          "variants": [
            { "name": "long" },
            { "name": "short", "change": { "container": { "throughput": 28200 } } }
          ],
          "scale": {{scale.ToString(CultureInfo.InvariantCulture)}}
        }
        """);

    private static ExperimentSpec Read(string json)
    {
        var reading = ExperimentSpecReader.Read(json, RunTarget.SimulatedAccount);
        Assert.Empty(reading.Errors);
        return reading.Value!;
    }
}
