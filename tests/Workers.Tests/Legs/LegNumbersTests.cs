using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Workers.Legs;

/// <summary>
/// Legs finish random units of a slice. Random results of them are damaged meanwhile and afterwards, and then the worker's legs run again.
/// </summary>
public sealed class LegNumbersTests
{
    [Fact]
    public void Repeat_AnyResultsDamaged_EachDocumentIsInOneResult() => Properties.Holds(Prop.ForAll(
        ArbMap.Default.ArbFor<int>(), seed => IsExactAsync(new Worker(new Random(seed))).GetAwaiter().GetResult()));

    [Fact]
    public async Task Deadline_LegThatIsRepeated_ComesAfterAllTheTimeThatItMayTake()
    {
        var files = new RunFiles(new MemoryRunStore(), "test");
        var first = new LegInput { Assignment = Script.Assignment(new NumberRange(0, 100)), Leg = 1, Next = 0 };
        var alone = await LegNumbers.ReadAsync(first, files, TestContext.Current.CancellationToken);
        var second = Support.Runs.Legs.Leg(0, 2, inserted: 10) with { Range = new(new NumberRange(0, 100), 50, []) };
        await files.CreateResultIfAbsentAsync(
            second with { Output = second.Output with { Next = 60 } }, TestContext.Current.CancellationToken);

        var repeated = await LegNumbers.ReadAsync(first, files, TestContext.Current.CancellationToken);

        Assert.Equal((false, true), (alone.IsRepetition, repeated.IsRepetition));
        Assert.Equal(
            (LegNumbers.RepetitionFactor - 1) * first.Assignment.LegDuration, repeated.Deadline - alone.Deadline);
    }

    private static async Task<bool> IsExactAsync(Worker worker)
    {
        await worker.RunAsync(damageOneIn: 5, finishesAll: false);
        await worker.DamageAsync(oneIn: 3);
        await worker.RunAsync(damageOneIn: 0, finishesAll: true);
        return await worker.IsExactAsync();
    }

    private sealed class Worker
    {
        private readonly MemoryRunStore _store = new();
        private readonly RunFiles _files;
        private readonly Random _random;
        private readonly int _unit;
        private readonly RunSpec _spec;
        private readonly NumberRange _slice;
        private readonly Dictionary<int, List<long>> _doneBy = [];

        public Worker(Random random)
        {
            (_random, _unit) = (random, random.Next(1, 6));
            _spec = new RunSpec
            {
                Id = "test",
                Documents = random.Next(20, 120),
                Workers = 2,
                Workload = _unit == 1 ? new() { Kind = WorkloadKind.Insert } : new() { Kind = WorkloadKind.Batch, BatchSize = _unit },
            };
            _slice = Slices.Cut(_spec.Documents, _spec.Workers, _unit)[1];
            _files = new RunFiles(_store, "test");
        }

        /// <summary>Goes through the legs as the worker's orchestration does.</summary>
        public async Task RunAsync(int damageOneIn, bool finishesAll)
        {
            var next = _slice.First;
            for (var leg = 1; ; leg++)
            {
                var input = new LegInput { Assignment = Script.Assignment(_slice) with { Worker = 1 }, Leg = leg, Next = next };
                var output = (await _files.ReadOrDiscardEarlierOutputAsync(input, isStopped: false, default)).Output
                    ?? (await RunLegAsync(input, finishesAll)).Output;
                next = output.Next;
                if (output.End == LegEnd.SliceDone)
                    return;
                if (damageOneIn > 0 && _random.Next(damageOneIn) == 0)
                    await DamageLegAsync(_random.Next(1, leg + 1));
            }
        }

        public async Task DamageAsync(int oneIn)
        {
            foreach (var leg in _doneBy.Keys)
            {
                if (_random.Next(oneIn) == 0)
                    await DamageLegAsync(leg);
            }
        }

        public async Task<bool> IsExactAsync()
        {
            var runLegs = await _files.ReadLegsAsync(default);
            var leg = Support.Runs.Legs.Leg(0, 1, inserted: _slice.First);
            var other = leg with { Output = leg.Output with { Next = _slice.First }, Range = new(new NumberRange(0, _slice.First), 0, []) };
            IReadOnlyList<WorkerOutcome> done = [Done(0), Done(1)];
            return LegChain.Check(_spec, runLegs with { Results = [other, .. runLegs.Results] }, done).Count == 0
                && runLegs.Results.Sum(result => result.Output.Counts.Done) == _slice.Count
                && runLegs.Results
                    .SelectMany(result => _doneBy[result.Output.Leg])
                    .Order()
                    .SequenceEqual(Enumerable.Range((int)_slice.First, (int)_slice.Count).Select(number => (long)number));
        }

        private static WorkerOutcome Done(int worker) => new() { Worker = worker, End = WorkerState.Done, Remaining = 0 };

        private Task DamageLegAsync(int leg) => _store.WriteAsync("test", LegNames.Result(1, leg), ReadOnlyMemory<byte>.Empty, default);

        private async Task<LegResult> RunLegAsync(LegInput input, bool finishesAll)
        {
            var numbers = await LegNumbers.ReadAsync(input, _files, default);
            var progress = new SliceNumbers(numbers.Worked, input.Next, _unit, NumberSet.From(numbers.LeftOut));
            var done = new List<long>();
            // A repetition does all that its leg had done. Any other leg takes some units and finishes most of them.
            var takes = finishesAll || numbers.IsRepetition ? int.MaxValue : _random.Next(1, 8);
            for (var taken = 0; taken < takes && progress.TryTake(out var unit); taken++)
            {
                if (takes < int.MaxValue && _random.Next(4) == 0)
                    continue;
                progress.Finish(unit);
                done.AddRange(Enumerable.Range(0, (int)unit.Count).Select(i => unit.First + i));
            }

            var result = Support.Runs.Legs.Leg(1, input.Leg, inserted: done.Count)
                with
            { Range = numbers.Range, DoneAhead = progress.DoneAhead() };
            var end = progress.Next == _slice.End ? LegEnd.SliceDone : LegEnd.TimeUp;
            result = result with { Output = result.Output with { Next = progress.Next, End = end } };
            _doneBy[input.Leg] = done;
            return await _files.CreateResultIfAbsentAsync(Assert.IsType<LegResult>(numbers.AsTakenOver(result)), default);
        }
    }
}
