namespace ScaleOut.Tests.Shared.Orchestration;

public sealed class PayloadLimitsTests
{
    [Theory]
    [InlineData('x')]
    [InlineData('"')]
    [InlineData('中')]
    public void Fit_StatusWithLongReasons_IsCutAndKeepsItsCounts(char letter)
    {
        var outcome = new RunOutcome
        {
            RunId = "test", State = RunState.Failed, Counts = new() { Inserted = 7 }, Remaining = 3,
            Reasons = [.. Enumerable.Repeat(new string(letter, 5_000), 10)],
        };

        var fitted = PayloadLimits.Fit(RunStatus.From(outcome, asked: 10));

        Assert.InRange(PayloadLimits.SizeOf(fitted), 1_000, PayloadLimits.StatusBytes);
        Assert.Equal((10, 7L, 10L), (fitted.Reasons.Count, fitted.Counts.Inserted, fitted.Asked));
    }

    [Fact]
    public void Fit_WhatFits_StaysAsItIs()
    {
        var status = RunStatus.In(RunPhase.Running, new RunSpec());
        var group = Outcomes(GroupOrchestrator.Size, 'x', length: 200);
        Assert.Same(status, PayloadLimits.Fit(status));
        Assert.Same(group, PayloadLimits.Fit(group));
    }

    [Fact]
    public void Fit_GroupWithWideReasons_IsCut()
    {
        var fitted = PayloadLimits.Fit(Outcomes(GroupOrchestrator.Size, '中'));
        Assert.InRange(PayloadLimits.SizeOf(fitted), PayloadLimits.GroupOutputBytes / 2, PayloadLimits.GroupOutputBytes);
        Assert.All(fitted, worker => Assert.InRange(worker.Reason!.Length, 50, 399));
    }

    [Fact]
    public void Fit_EndingOfThousandWorkersWithWideReasons_IsCut()
    {
        var ending = new RunEnding
        {
            Spec = new RunSpec { Id = "test", Workers = 1_000 }, StartedAt = DateTimeOffset.UnixEpoch,
            FinishedAt = DateTimeOffset.UnixEpoch, Workers = Outcomes(1_000, '中'),
        };

        var fitted = PayloadLimits.Fit(ending);

        Assert.InRange(PayloadLimits.SizeOf(fitted), PayloadLimits.PayloadBytes / 2, PayloadLimits.PayloadBytes);
        Assert.Equal(1_000, fitted.Workers.Count);
    }

    [Fact]
    public void Fit_CharacterOfTwoUnits_IsNeverCutInHalf()
    {
        var group = Outcomes(GroupOrchestrator.Size, 'x').Select(
            worker => worker with { Reason = string.Concat(Enumerable.Repeat("\U0001F600", 200)) }).ToList();
        Assert.All(PayloadLimits.Fit(group), worker => Assert.False(char.IsHighSurrogate(worker.Reason![^1])));
    }

    private static IReadOnlyList<WorkerOutcome> Outcomes(int workers, char letter, int length = LegOutput.MaxReasonLength) =>
    [
        .. Enumerable.Range(0, workers).Select(worker => new WorkerOutcome
        {
            Worker = worker, End = WorkerState.Failed, Remaining = 1_000_000, Reason = new string(letter, length),
        }),
    ];
}
