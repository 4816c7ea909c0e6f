namespace ScaleOut.Tests.Shared.Progress;

public class RateWindowTests
{
    [Fact]
    public void At_SteadyLoad_GivesItsRates()
    {
        var window = new RateWindow();
        for (var second = 0; second <= 20; second++)
            window.Add(
                TimeSpan.FromSeconds(second),
                new Counts { Inserted = second * 100, Throttled = second * 3, RequestUnits = RequestUnits.From(second * 571) });

        var rates = window.At(TimeSpan.FromSeconds(20.5));
        Assert.Equal(100, rates.Documents, precision: 6);
        Assert.Equal(3, rates.Throttled, precision: 6);
        Assert.Equal(571, rates.RequestUnits, precision: 6);
    }

    [Fact]
    public void At_BurstInEachSecond_CountsOneBurstForEachSecond()
    {
        var window = new RateWindow();
        var highest = 0.0;
        // Samples are two thirds of a second apart, so that they fall everywhere between the bursts.
        for (var sample = 0; sample < 200; sample++)
        {
            var at = sample * 0.67;
            var charged = 1_000 * (Math.Floor(at) + Math.Min(1, (at - Math.Floor(at)) / 0.3));
            window.Add(TimeSpan.FromSeconds(at), new Counts { RequestUnits = RequestUnits.From(charged) });
            if (at > 5)
                highest = Math.Max(highest, window.At(TimeSpan.FromSeconds(at)).RequestUnits);
        }

        Assert.InRange(highest, 1_000, 1_150);
    }

    [Fact]
    public void At_AfterALongPause_ForgetsWhatWasBefore()
    {
        var window = new RateWindow();
        window.Add(TimeSpan.Zero, default);
        window.Add(TimeSpan.FromSeconds(60), new Counts { Inserted = 10 });
        window.Add(TimeSpan.FromSeconds(61), new Counts { Inserted = 110 });
        Assert.Equal(100, window.At(TimeSpan.FromSeconds(61)).Documents, precision: 6);
    }

    [Fact]
    public void At_Silence_FallsToZero()
    {
        var window = new RateWindow();
        window.Add(TimeSpan.Zero, default);
        window.Add(TimeSpan.FromSeconds(1), new Counts { Inserted = 100 });

        Assert.Equal(100, window.At(TimeSpan.FromSeconds(2)).Documents, precision: 6);
        Assert.InRange(window.At(TimeSpan.FromSeconds(4)).Documents, 1, 99);
        Assert.Equal(0, window.At(TimeSpan.FromSeconds(6)).Documents);
    }
}
