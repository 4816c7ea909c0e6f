using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Workers.Legs;

public sealed class SliceNumbersTests
{
    [Fact]
    public void TryTake_FromStartToEnd_ReturnsEachUnitOnceAndAShortLastOne()
    {
        var progress = new SliceNumbers(new Slice(100, 25), next: 100, unit: 10, NumberRanges.Empty);
        Assert.Equal([new Slice(100, 10), new Slice(110, 10), new Slice(120, 5)], TakeAll(progress));
        Assert.Equal(100, progress.Next);
    }

    [Fact]
    public void Next_LowUnitIsUnfinished_IsThatUnitAndTheOthersAreAhead()
    {
        var progress = new SliceNumbers(new Slice(0, 50), next: 0, unit: 10, NumberRanges.Empty);
        var units = TakeAll(progress);
        foreach (var unit in (int[])[0, 2, 3])
            progress.Finish(units[unit]);

        Assert.Equal(10, progress.Next);
        Assert.Equal([new Slice(20, 20)], progress.DoneAhead());
    }

    [Fact]
    public void Next_AllUnitsAreFinished_IsTheSlicesEnd()
    {
        var progress = new SliceNumbers(new Slice(7, 3), next: 7, unit: 1, NumberRanges.Empty);
        foreach (var unit in TakeAll(progress).AsEnumerable().Reverse())
            progress.Finish(unit);

        Assert.Equal(10, progress.Next);
        Assert.Empty(progress.DoneAhead());
    }

    [Fact]
    public void Constructor_NextAtTheEnd_HasNothingToTakeAndWithinAUnitThrows()
    {
        var progress = new SliceNumbers(new Slice(0, 25), next: 25, unit: 10, NumberRanges.Empty);
        Assert.Empty(TakeAll(progress));
        Assert.Equal(25, progress.Next);
        Assert.Throws<ArgumentException>(() => new SliceNumbers(new Slice(0, 25), next: 5, unit: 10, NumberRanges.Empty));
    }

    [Fact]
    public void Resume_AfterAnyOrderOfFinishing_FinishesEachNumberOnce() => Prop.ForAll(
        Gen.Choose(1, 3000).Zip(Gen.Choose(1, 7)).Zip(
            Gen.Choose(0, int.MaxValue), (sizes, seed) => (Count: sizes.Item1, Unit: sizes.Item2, Seed: seed)).ToArbitrary(),
        plan =>
        {
            var random = new Random(plan.Seed);
            var slice = new Slice(plan.Seed % 1000 * plan.Unit, plan.Count);
            var finished = new Dictionary<long, int>();
            var (next, before) = (slice.First, NumberRanges.Empty);
            for (var leg = 0; next < slice.End && leg < 10_000; leg++)
            {
                // The leg takes some units, finishes some of these in any order, and ends.
                var progress = new SliceNumbers(slice, next, plan.Unit, before);
                var taken = new List<Slice>();
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
                (next, before) = (low, new NumberRanges(progress.DoneAhead()));
            }

            return finished.Count == slice.Count && finished.Values.All(times => times == 1);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void FinishAndTake_FromManyThreads_LoseNothing()
    {
        var progress = new SliceNumbers(new Slice(0, 200_000), next: 0, unit: 1, NumberRanges.Empty);
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

    private static List<Slice> TakeAll(SliceNumbers progress)
    {
        var units = new List<Slice>();
        while (progress.TryTake(out var unit))
            units.Add(unit);
        return units;
    }
}

public sealed class NumberRangesTests
{
    [Fact]
    public void Join_NeighboursInAnyOrder_BecomeOneRange() =>
        Assert.Equal([new Slice(0, 3), new Slice(10, 20)], NumberRanges.Join([new(20, 10), new(2, 1), new(10, 10), new(0, 2)]));

    [Fact]
    public void Contains_AnySetOfNumbers_IsTrueForThoseAlone() => Prop.ForAll(
        Gen.Choose(0, 60).ListOf().Select(list => list.ToHashSet()).ToArbitrary(),
        numbers =>
        {
            var ranges = new NumberRanges(NumberRanges.Join(numbers.Select(number => new Slice(number, 1))));
            return Enumerable.Range(-1, 63).All(number => ranges.Contains(number) == numbers.Contains(number));
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void UnitsFrom_AnyNumber_AreThoseOfTheRangesFromItOn()
    {
        var ranges = new NumberRanges([new Slice(0, 30), new Slice(50, 25)]);
        Assert.Equal([new Slice(20, 10), new Slice(50, 10), new Slice(60, 10), new Slice(70, 5)], ranges.UnitsFrom(20, unit: 10));
        Assert.Equal([new Slice(70, 5)], ranges.UnitsFrom(70, unit: 10));
        Assert.Empty(ranges.UnitsFrom(80, unit: 10));
    }
}
