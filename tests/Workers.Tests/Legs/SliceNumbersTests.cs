using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Workers.Legs;

public sealed class SliceNumbersTests
{
    [Fact]
    public void TryTake_FromStartToEnd_ReturnsEachUnitOnceAndAShortLastOne()
    {
        var progress = new SliceNumbers(new NumberRange(100, 25), next: 100, unit: 10, NumberSet.Empty);
        Assert.Equal([new NumberRange(100, 10), new NumberRange(110, 10), new NumberRange(120, 5)], TakeAll(progress));
        Assert.Equal(100, progress.Next);
    }

    [Fact]
    public void Next_LowUnitIsUnfinished_IsThatUnitAndTheOthersAreAhead()
    {
        var progress = new SliceNumbers(new NumberRange(0, 50), next: 0, unit: 10, NumberSet.Empty);
        var units = TakeAll(progress);
        foreach (var unit in (int[])[0, 2, 3])
            progress.Finish(units[unit]);

        Assert.Equal(10, progress.Next);
        Assert.Equal([new NumberRange(20, 20)], progress.DoneAhead());
    }

    [Fact]
    public void Next_AllUnitsAreFinished_IsTheSlicesEnd()
    {
        var progress = new SliceNumbers(new NumberRange(7, 3), next: 7, unit: 1, NumberSet.Empty);
        foreach (var unit in TakeAll(progress).AsEnumerable().Reverse())
            progress.Finish(unit);

        Assert.Equal(10, progress.Next);
        Assert.Empty(progress.DoneAhead());
    }

    [Fact]
    public void Constructor_NextAtTheEnd_HasNothingToTakeAndWithinAUnitThrows()
    {
        var progress = new SliceNumbers(new NumberRange(0, 25), next: 25, unit: 10, NumberSet.Empty);
        Assert.Empty(TakeAll(progress));
        Assert.Equal(25, progress.Next);
        Assert.Throws<ArgumentException>(() => new SliceNumbers(new NumberRange(0, 25), next: 5, unit: 10, NumberSet.Empty));
    }

    [Fact]
    public void Resume_AfterAnyOrderOfFinishing_FinishesEachNumberOnce() => Prop.ForAll(
        Gen.Choose(1, 3000).Zip(Gen.Choose(1, 7)).Zip(
            Gen.Choose(0, int.MaxValue), (sizes, seed) => (Count: sizes.Item1, Unit: sizes.Item2, Seed: seed)).ToArbitrary(),
        plan =>
        {
            var random = new Random(plan.Seed);
            var slice = new NumberRange(plan.Seed % 1000 * plan.Unit, plan.Count);
            var finished = new Dictionary<long, int>();
            var (next, before) = (slice.First, NumberSet.Empty);
            for (var leg = 0; next < slice.End && leg < 10_000; leg++)
            {
                // The leg takes some units, finishes some of these in any order, and ends.
                var progress = new SliceNumbers(slice, next, plan.Unit, before);
                var taken = new List<NumberRange>();
                var max = random.Next(1, 200);
                while (taken.Count < max && progress.TryTake(out var unit))
                    taken.Add(unit);
                foreach (var unit in taken.OrderBy(_ => random.Next()).Where(_ => random.Next(4) > 0))
                {
                    progress.Finish(unit);
                    for (var number = unit.First; number < unit.End; number++)
                        finished[number] = finished.GetValueOrDefault(number) + 1;
                }

                var low = progress.Next;
                if (low < slice.End && finished.ContainsKey(low))
                    return false;
                (next, before) = (low, NumberSet.From(progress.DoneAhead()));
            }

            return finished.Count == slice.Count && finished.Values.All(times => times == 1);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void FinishAndTake_FromManyThreads_LoseNothing()
    {
        var progress = new SliceNumbers(new NumberRange(0, 200_000), next: 0, unit: 1, NumberSet.Empty);
        long finished = 0;

        Parallel.For(0, 8, _ =>
        {
            while (progress.TryTake(out var unit))
            {
                progress.Finish(unit);
                Interlocked.Increment(ref finished);
            }
        });

        Assert.Equal((200_000, 200_000), (finished, progress.Next));
    }

    private static List<NumberRange> TakeAll(SliceNumbers progress)
    {
        var units = new List<NumberRange>();
        while (progress.TryTake(out var unit))
            units.Add(unit);
        return units;
    }
}
