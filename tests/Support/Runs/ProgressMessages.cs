using FsCheck.Fluent;

namespace ScaleOut.Tests.Support.Runs;

/// <summary>Progress of the workers of a run named <c>run</c>.</summary>
internal static class ProgressMessages
{
    public const int Workers = 4;

    /// <summary>Many messages of few workers, so that most have older, newer and equal ones beside them.</summary>
    public static readonly FsCheck.Gen<WorkerProgress[]> Any =
        (from worker in Gen.Choose(0, Workers - 1)
         from leg in Gen.Choose(1, 3)
         from attempt in Gen.Choose(1, 2)
         from sequence in Gen.Choose(-2, 5)
         select From(worker, leg, attempt, sequence)).ArrayOf();

    /// <summary>A message whose counts follow from its place among the others.</summary>
    public static WorkerProgress From(int worker, int leg, int attempt, long sequence) => new()
    {
        RunId = "run", Worker = worker, Workers = Workers, Leg = leg, Attempt = attempt, Sequence = sequence,
        Activity = WorkerState.Running, At = DateTimeOffset.UnixEpoch.AddSeconds(leg),
        Counts = new() { Inserted = (worker * 1_000) + (leg * 100) + (attempt * 10) + Math.Max(0, sequence % 10) },
    };
}
