using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.EndToEnd.Orchestrations;

/// <summary>Random sequences of lost legs and legs whose time is up, against a model of the container.</summary>
public sealed class ExactOnceTests
{
    [Fact]
    public void Run_AnyLossesAndTimeUps_CoversEveryDocumentOnceAndKeepsTheCounts() => Properties.Holds(Prop.ForAll(
        ArbMap.Default.ArbFor<PositiveInt>(), ArbMap.Default.ArbFor<PositiveInt>(), ArbMap.Default.ArbFor<int>(),
        (documents, workers, seed) =>
        {
            var asked = documents.Get % 300 + 1;
            var spec = new RunSpec { Id = "test", Documents = asked, Workers = Math.Min(asked, (workers.Get % 70) + 1) };
            var model = new ContainerModel(new Random(seed));
            var run = new ScriptedRun(model.RunLeg) { Count = () => model.Documents.Count };
            run.RunAsync(spec).GetAwaiter().GetResult();

            var ending = run.Ending!;
            var done = ending.Workers.Sum(worker => worker.Counts.Done);
            return ending.Workers.All(worker => worker.End == WorkerState.Done)
                && done == asked
                && ending.Workers.Sum(worker => worker.Remaining) == 0
                && ending.Workers.Sum(worker => worker.Counts.AlreadyPresent) == model.WrittenByLostLegs
                && model.Documents.SetEquals(Enumerable.Range(0, asked).Select(number => (long)number))
                && ending.Verification!.Verified == asked;
        }));

    [Fact]
    public void Run_StoppedOrRejectedAtRandom_StillBalancesTheCounts() => Properties.Holds(Prop.ForAll(
        ArbMap.Default.ArbFor<PositiveInt>(), ArbMap.Default.ArbFor<int>(),
        (documents, seed) =>
        {
            var asked = documents.Get % 300 + 5;
            var random = new Random(seed);
            var model = new ContainerModel(random);
            var run = new ScriptedRun(leg => random.Next(6) switch
            {
                0 => ScriptedLeg.Insert(leg, 0, LegEnd.Stopped),
                1 => ScriptedLeg.Insert(leg, 0, LegEnd.Rejected, "no"),
                _ => model.RunLeg(leg),
            });
            run.RunAsync(new RunSpec { Id = "test", Documents = asked, Workers = 5 }).GetAwaiter().GetResult();

            return run.Ending!.Workers.All(worker => worker.Remaining >= 0)
                && run.Ending.Workers.Sum(worker => worker.Counts.Done + worker.Remaining) == asked
                && model.Documents.Count >= run.Ending.Workers.Sum(worker => worker.Counts.Done);
        }));

    /// <summary>A container that knows its document numbers. A leg inserts some, then its time is over or it is lost.</summary>
    private sealed class ContainerModel(Random random)
    {
        public HashSet<long> Documents { get; } = [];

        /// <summary>Documents that no leg with a result inserted.</summary>
        public int WrittenByLostLegs { get; private set; }

        public LegOutput RunLeg(LegInput leg)
        {
            var take = Math.Min(random.Next(1, 12), leg.Assignment.Slice.End - leg.Next);
            var inserted = 0;
            for (var number = leg.Next; number < leg.Next + take; number++)
                inserted += Documents.Add(number) ? 1 : 0;
            if (random.Next(4) == 0)
            {
                WrittenByLostLegs += inserted;
                throw new LegLostException("killed");
            }

            return ScriptedLeg.Insert(leg, take) with { Counts = new() { Inserted = inserted, AlreadyPresent = take - inserted } };
        }
    }
}
