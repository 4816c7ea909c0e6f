namespace ScaleOut.Tests.Workers.Legs;

public sealed class LegControlTests
{
    /// <summary>Without the reason the leg would count as stopped, and its worker would not go on.</summary>
    [Fact]
    public async Task EndWith_AnyMoment_WhoeverSeesTheEndSeesTheReason()
    {
        for (var i = 0; i < 500; i++)
        {
            using var control = new LegControl(CancellationToken.None);
            using var ready = new ManualResetEventSlim();
            var seen = Task.Run(
                () =>
                {
                    ready.Set();
                    // Like an operation loop between two numbers, it looks without a pause.
                    while (control.Taking)
                    {
                    }

                    return (control.End, control.Reason);
                },
                TestContext.Current.CancellationToken);
            ready.Wait(TestContext.Current.CancellationToken);

            control.EndWith(LegEnd.TimeUp, TimeSpan.FromMinutes(1), "its time is up");

            Assert.Equal((LegEnd.TimeUp, "its time is up"), await seen);
        }
    }

    [Fact]
    public async Task EndWith_ADrain_CutsOnceTheClockHasPassedIt()
    {
        var time = new ManualTime(DateTimeOffset.UnixEpoch);
        using var control = new LegControl(CancellationToken.None, time);
        control.EndWith(LegEnd.TimeUp, TimeSpan.FromSeconds(20));

        time.Advance(TimeSpan.FromSeconds(19));
        Assert.True(control.Closing.IsCancellationRequested && !control.Cut.IsCancellationRequested, "It was cut too early.");
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(control.Cut.IsCancellationRequested && !control.Overdue.IsCompleted, "It was not cut, or loops were abandoned.");
        time.Advance(LegTimes.Grace);
        await control.Overdue;
    }

    [Fact]
    public void EndWith_EndsAlready_KeepsTheFirstReason()
    {
        using var control = new LegControl(CancellationToken.None);
        Assert.Equal((true, null, null), (control.Taking, control.End, control.Reason));
        control.EndWith(LegEnd.TimeUp, TimeSpan.FromMinutes(1));
        control.EndWith(LegEnd.Stopped, TimeSpan.FromMinutes(1), "later");
        Assert.Equal((false, LegEnd.TimeUp, null), (control.Taking, control.End, control.Reason));
    }
}
