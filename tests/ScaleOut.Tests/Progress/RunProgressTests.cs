using System.Text.Json;
using FsCheck.Fluent;
using ScaleOut.Json;
using ScaleOut.Orchestration;
using ScaleOut.Progress;

namespace ScaleOut.Tests.Progress;

public sealed class RunProgressTests
{
    private const int Workers = 4;

    /// <summary>Many messages of few workers, so that most have older, newer and equal ones beside them.</summary>
    private static readonly FsCheck.Gen<WorkerProgress[]> AnyMessages =
        (from worker in Gen.Choose(0, Workers - 1)
         from leg in Gen.Choose(1, 3)
         from attempt in Gen.Choose(1, 2)
         from sequence in Gen.Choose(-2, 5)
         select Message(worker, leg, attempt, sequence)).ArrayOf();

    [Fact]
    public void Fold_AnyOrderAndAnyRepeats_GivesTheSame() => Properties.Holds(Prop.ForAll(
        (from messages in AnyMessages
         from repeated in messages.Length == 0 ? Gen.Constant(messages) : Gen.Elements(messages).ArrayOf()
         from shuffled in Gen.Shuffle([.. messages, .. repeated])
         select (messages, shuffled: shuffled.ToArray())).ToArbitrary(),
        pair => Json(FoldAll(pair.messages)) == Json(FoldAll(pair.shuffled))));

    [Fact]
    public void Fold_AnyMessages_HoldsTheNewestOfEachWorker() => Properties.Holds(Prop.ForAll(
        AnyMessages.ToArbitrary(),
        messages => messages.GroupBy(m => m.Worker).All(group => FoldAll(messages).Workers[group.Key] == group.OrderBy(m => (m.Leg, m.Attempt, m.Sequence)).Last())
            && FoldAll(messages).Workers.Count == messages.Select(m => m.Worker).Distinct().Count()));

    [Fact]
    public void Merge_FoldsThatOverlap_IsTheFoldOfAll() => Properties.Holds(Prop.ForAll(
        (from left in AnyMessages from right in AnyMessages select (left, right)).ToArbitrary(),
        pair => JsonSerializer.Serialize(RunProgressView.Of([FoldAll(pair.left), FoldAll(pair.right)]), ScaleOutJson.Compact)
            == JsonSerializer.Serialize(RunProgressView.Of([FoldAll([.. pair.left, .. pair.right])]), ScaleOutJson.Compact)));

    [Fact]
    public void View_MessageOfALaterLeg_AddsWhatTheEarlierLegsCameTo()
    {
        var before = new WorkerTotals { Inserted = 1_000, AlreadyPresent = 20, Failed = 3, Throttled = 7, RequestUnits = 5_000, Seconds = 30 };
        var message = Message(1, 2, 1, 5) with
        {
            Before = before, Inserted = 500, AlreadyPresent = 10, Failed = 2, Throttled = 1, RequestUnits = 2_500.5, Seconds = 10, InFlight = 9, LastError = "503",
        };

        var view = RunProgressView.Of([new RunProgress().Fold(message), new RunProgress().Fold(Message(60, 1, 1, 1) with { Workers = 61, Inserted = 400, Seconds = 20 })]);

        var worker = view.Workers[0];
        Assert.Equal((1_500, 30, 5, 8, 7_500.5, 9, "503"), (worker.Inserted, worker.AlreadyPresent, worker.Failed, worker.Throttled, worker.RequestUnits, worker.InFlight, worker.LastError));
        Assert.Equal(1_535 / 40.0, worker.DocumentsPerSecond, precision: 9);
        Assert.Equal([1, 60], view.Workers.Select(w => w.Worker));
        Assert.Equal((1_900, 30, 5, 8), (view.Inserted, view.AlreadyPresent, view.Failed, view.Throttled));
        Assert.Equal((1_535 + 400) / 40.0, view.DocumentsPerSecond, precision: 9);
    }

    [Fact]
    public void View_NobodyWasHeard_IsEmpty()
    {
        var view = RunProgressView.Of([]);

        Assert.Empty(view.Workers);
        Assert.Equal(0, view.DocumentsPerSecond);
        Assert.Null(view.At);
    }

    [Fact]
    public void Json_FullFoldWithLongErrors_ComesBackTheSameAndFits64KB()
    {
        var fold = FoldAll([.. Enumerable.Range(950, RunProgress.WorkersPerFold).Select(worker => Message(worker, 999_999, 100, long.MaxValue) with
        {
            Workers = 1_000,
            RunId = new string('r', 40),
            Before = new() { Inserted = 1_000_000_000, AlreadyPresent = 1_000_000_000, Failed = 1_000_000_000, Throttled = 1_000_000_000, RequestUnits = 1e10 / 3, Seconds = 1e7 / 3 },
            Inserted = 1_000_000_000,
            RequestUnits = 1e9 / 7,
            LastError = new string('e', 210),
        })]);

        var json = Json(fold);

        Assert.InRange(json.Length, 30_000, 64 * 1024);
        Assert.Equal(json, Json(JsonSerializer.Deserialize<RunProgress>(json, ScaleOutJson.Compact)!));
    }

    [Fact]
    public void Folds_OfAThousandWorkers_HoldFiftyEach()
    {
        Assert.Equal(20, RunProgress.FoldsOf(1_000));
        Assert.Equal(1, RunProgress.FoldsOf(50));
        Assert.Equal(2, RunProgress.FoldsOf(51));
        Assert.All(Enumerable.Range(0, 1_000).GroupBy(RunProgress.FoldOf), fold => Assert.Equal(50, fold.Count()));
    }

    internal static WorkerProgress Message(int worker, int leg, int attempt, long sequence) => new()
    {
        RunId = "run",
        Worker = worker,
        Workers = Workers,
        Leg = leg,
        Attempt = attempt,
        Sequence = sequence,
        Activity = WorkerActivity.Running,
        At = DateTimeOffset.UnixEpoch.AddSeconds(leg),
        Inserted = (worker * 1_000) + (leg * 100) + (attempt * 10) + Math.Max(0, sequence % 10),
    };

    private static RunProgress FoldAll(IEnumerable<WorkerProgress> messages) => messages.Aggregate(new RunProgress(), (fold, message) => fold.Fold(message));

    private static string Json(RunProgress fold) => JsonSerializer.Serialize(fold with { Workers = new SortedDictionary<int, WorkerProgress>(fold.Workers.ToDictionary()) }, ScaleOutJson.Compact);
}
