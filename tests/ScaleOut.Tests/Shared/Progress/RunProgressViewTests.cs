using FsCheck.Fluent;

namespace ScaleOut.Tests.Shared.Progress;

public sealed class RunProgressViewTests
{
    [Fact]
    public void From_AnyOrderAndAnyRepeats_GivesTheSame() => Properties.Holds(Prop.ForAll(
        (from messages in ProgressMessages.Any
         from repeated in messages.Length == 0 ? Gen.Constant(messages) : Gen.Elements(messages).ArrayOf()
         from shuffled in Gen.Shuffle([.. messages, .. repeated])
         select (messages, shuffled: shuffled.ToArray())).ToArbitrary(),
        pair => Json(RunProgressView.From(pair.messages)) == Json(RunProgressView.From(pair.shuffled))));

    [Fact]
    public void From_AnyMessages_ShowsTheNewestOfEachWorker() => Properties.Holds(Prop.ForAll(
        ProgressMessages.Any.ToArbitrary(),
        messages => RunProgressView.From(messages).Workers.Select(worker => (worker.Worker, worker.Inserted)).SequenceEqual(
            messages.GroupBy(m => m.Worker).OrderBy(group => group.Key)
                .Select(group => (group.Key, group.OrderBy(m => (m.Leg, m.Attempt, m.Sequence)).Last().Inserted)))));

    [Fact]
    public void From_MessageOfALaterLeg_AddsWhatTheEarlierLegsCameTo()
    {
        var before = new WorkerTotals
        {
            Inserted = 1_000, AlreadyPresent = 20, Failed = 3, Throttled = 7, RequestUnits = 5_000, Seconds = 30,
        };
        var message = ProgressMessages.From(1, 2, 1, 5) with
        {
            Before = before, Inserted = 500, AlreadyPresent = 10, Failed = 2, Throttled = 1, RequestUnits = 2_500.5, Seconds = 10,
            InFlight = 9, LastError = "503",
        };

        var view = RunProgressView.From([message, ProgressMessages.From(60, 1, 1, 1) with { Workers = 61, Inserted = 400, Seconds = 20 }]);

        var worker = view.Workers[0];
        Assert.Equal((1_500, 30, 5, 8, 7_500.5, 9, "503"),
            (worker.Inserted, worker.AlreadyPresent, worker.Failed, worker.Throttled, worker.RequestUnits, worker.InFlight,
                worker.LastError));
        Assert.Equal(1_535 / 40.0, worker.DocumentsPerSecond, precision: 9);
        Assert.Equal([1, 60], view.Workers.Select(w => w.Worker));
        Assert.Equal((1_900, 30, 5, 8), (view.Inserted, view.AlreadyPresent, view.Failed, view.Throttled));
        Assert.Equal((1_535 + 400) / 40.0, view.DocumentsPerSecond, precision: 9);
    }

    [Fact]
    public void From_NoMessages_IsEmpty()
    {
        var view = RunProgressView.From([]);

        Assert.Empty(view.Workers);
        Assert.Equal(0, view.DocumentsPerSecond);
        Assert.Null(view.At);
    }

    private static string Json(RunProgressView view) => JsonSerializer.Serialize(view, ScaleOutJson.Compact);
}
