namespace ScaleOut.Tests.Shared.Orchestration;

/// <summary>How long a run waits for a run store that fails, and for roles that do not hold yet. The clock is the engine's.</summary>
public sealed class OrchestrationWaitsTests
{
    private static readonly RunSpec Spec = new() { Id = "test", Documents = 100, Workers = 1 };

    private readonly ScriptedRun _run = new(ScriptedLeg.Finish);
    private readonly DateTime _begunAt;

    public OrchestrationWaitsTests() => _begunAt = _run.UtcNow;

    private TimeSpan Waited => _run.UtcNow - _begunAt;

    [Fact]
    public async Task Admission_StoreFailsForTwentyMinutes_BeginsThen()
    {
        Admit(() => Waited < TimeSpan.FromMinutes(20) ? throw new IOException("down") : new Admission(AdmissionState.Admitted));
        Assert.Equal(RunState.Complete, (await _run.RunAsync(Spec)).State);
        Assert.InRange(Waited.TotalMinutes, 20, 21);
        Assert.Contains(RunStatus.In(RunPhase.Queued, Spec) with { RunsAhead = 0 }, _run.Statuses);
    }

    /// <summary>The same holds for a run that has waited in line for hours, over many turns.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(200)]
    public async Task Admission_StoreFailsForGood_EndsWithAReport(int turnsInLine)
    {
        var asked = 0;
        var waiting = new Admission(AdmissionState.Waiting, RunsAhead: 1);
        Admit(() => asked++ < turnsInLine ? waiting : throw new IOException("down"));
        var outcome = await _run.RunAsync(Spec);

        Assert.Equal(RunState.Failed, outcome.State);
        Assert.Equal(["down"], _run.Ending!.Rejections);
        Assert.Equal(outcome, _run.Ended!.Outcome);
        Assert.DoesNotContain("prepare", _run.Steps);
        Assert.True(Waited >= TimeSpan.FromMinutes(30), $"{Waited}");
    }

    /// <summary>Only failures one after the other count: once the store has responded, the time begins again.</summary>
    [Fact]
    public async Task Admission_StoreFailsNowAndThen_KeepsWaiting()
    {
        var asked = 0;
        Admit(() => ++asked > 200 ? new Admission(AdmissionState.Admitted)
            : asked % 2 == 0 ? throw new IOException("down") : new Admission(AdmissionState.Waiting, RunsAhead: 1));
        Assert.Equal(RunState.Complete, (await _run.RunAsync(Spec)).State);
    }

    [Fact]
    public async Task Admission_PermanentError_EndsAtOnce()
    {
        Admit(() => throw new FormatException("a ticket is damaged"));
        Assert.Equal(RunState.Failed, (await _run.RunAsync(Spec)).State);
        Assert.Equal(["a ticket is damaged"], _run.Ending!.Rejections);
        Assert.Empty(_run.Waits);
    }

    [Fact]
    public async Task Role_HoldsAfterFiveMinutes_RunCompletes()
    {
        Prepare(() => Waited < TimeSpan.FromMinutes(5) ? new Preparation { MissingRole = "no action" } : _run.Preparation);

        Assert.Equal(RunState.Complete, (await _run.RunAsync(Spec)).State);
        Assert.InRange(Waited.TotalMinutes, 5, 6);
        Assert.Equal(
            [RunPhase.Preparing, RunPhase.WaitingForRoles, RunPhase.Running],
            _run.Statuses.Select(status => status.Phase).Distinct().Take(3));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task RoleOnTheRunStoreOrTheAccount_NeverHolds_EndsAfterTenMinutesWithTheReason(bool onRunStore)
    {
        if (onRunStore)
            Admit(() => new Admission(AdmissionState.Forbidden, Failure: "no role"));
        else
            Prepare(() => new Preparation { MissingRole = "no role" });

        Assert.Equal(RunState.Failed, (await _run.RunAsync(Spec)).State);
        Assert.Equal(["no role"], _run.Ending!.Rejections);
        Assert.InRange(Waited.TotalMinutes, 10, 11);
    }

    [Fact]
    public async Task RunStore_ForbidsForFiveMinutes_IsWaitedForAsRolesAre()
    {
        Admit(() => Waited < TimeSpan.FromMinutes(5)
            ? new Admission(AdmissionState.Forbidden, Failure: "no role")
            : new Admission(AdmissionState.Admitted));

        Assert.Equal(RunState.Complete, (await _run.RunAsync(Spec)).State);
        Assert.Equal(RunPhase.WaitingForRoles, _run.Statuses[0].Phase);
    }

    private void Admit(Func<Admission> admit) => _run.AddActivity<RunSpec>(FunctionNames.AdmitRun, _ => admit());

    private void Prepare(Func<Preparation> prepare) => _run.AddActivity<RunSpec>(FunctionNames.PrepareContainer, _ => prepare());
}
