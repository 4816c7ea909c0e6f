namespace ScaleOut.Tests.Sizing.Prediction;

public sealed class FleetEventsTests
{
    [Fact]
    public void TryTake_EventsOfAllDistances_ReturnsEachOnceInOrder()
    {
        var random = new Random(1);
        var events = new FleetEvents(10);
        var waiting = new SortedSet<(long At, int Index)>();
        long now = 0;
        var (added, taken) = (0, 0);
        void Add(long ahead)
        {
            waiting.Add((now + ahead, added));
            events.Add(FleetEvent.Turn, added++, now + ahead);
        }

        for (var i = 0; i < 100; i++)
            Add(0);
        while (waiting.Count > 0)
        {
            Assert.True(events.TryTake(out _, out var index, out var at));
            Assert.Equal(waiting.Min.At, at);
            Assert.True(waiting.Remove((at, index)), $"{index} at {at} is not waiting.");
            (now, taken) = (at, taken + 1);
            if (added > 20_000)
                continue;
            // At once, within a millisecond, within two seconds, and up to an hour.
            foreach (var most in new[] { 1L, 10_000, 20_000_000, 36_000_000_000 }.Skip(random.Next(4)).Take(2))
                Add(random.NextInt64(most));
        }

        Assert.Equal(added, taken);
        Assert.False(events.TryTake(out _, out _, out _));
    }
}
