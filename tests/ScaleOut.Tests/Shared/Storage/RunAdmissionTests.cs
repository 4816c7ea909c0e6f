namespace ScaleOut.Tests.Shared.Storage;

public sealed class RunAdmissionTests
{
    private const int Capacity = 100;

    private readonly MemoryRunStore _store = new();
    private readonly HashSet<string> _ended = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private RunAdmission Admission => new(_store, Capacity);

    [Fact]
    public async Task Admit_TwoWideRuns_TheSecondWaitsUntilTheFirstHasEnded()
    {
        Assert.Equal(AdmissionState.Admitted, (await AdmitAsync("a", 80)).State);
        Assert.Equal(new Admission(AdmissionState.Waiting, RunsAhead: 1), await AdmitAsync("b", 40));

        await Admission.ReleaseAsync("a", Cancellation);

        Assert.Equal(AdmissionState.Admitted, (await AdmitAsync("b", 40)).State);
    }

    [Fact]
    public async Task Admit_RunsThatFitTogether_BeginTogether()
    {
        var admissions = new List<Admission>();
        foreach (var id in (string[])["a", "b", "c"])
            admissions.Add(await AdmitAsync(id, 33));

        Assert.All(admissions, admission => Assert.Equal(AdmissionState.Admitted, admission.State));
        Assert.Equal(AdmissionState.Waiting, (await AdmitAsync("d", 2)).State);
    }

    [Fact]
    public async Task Admit_SmallRunBehindAWideOneThatWaits_DoesNotOvertake()
    {
        await AdmitAsync("a", 80);
        await AdmitAsync("wide", 100);

        Assert.Equal(new Admission(AdmissionState.Waiting, RunsAhead: 2), await AdmitAsync("small", 1));
        await Admission.ReleaseAsync("a", Cancellation);
        Assert.Equal(AdmissionState.Waiting, (await AdmitAsync("small", 1)).State);
        Assert.Equal(AdmissionState.Admitted, (await AdmitAsync("wide", 100)).State);
    }

    [Fact]
    public async Task Admit_WiderThanTheCapacity_BeginsWhenItIsAlone() =>
        Assert.Equal(AdmissionState.Admitted, (await AdmitAsync("a", Capacity + 1)).State);

    [Fact]
    public async Task Admit_AskedTwice_KeepsItsPlace()
    {
        await AdmitAsync("a", 60);
        await AdmitAsync("b", 60);
        await AdmitAsync("c", 60);

        Assert.Equal(AdmissionState.Admitted, (await AdmitAsync("a", 60)).State);
        Assert.Equal(1, (await AdmitAsync("b", 60)).RunsAhead);
        Assert.Equal(2, (await AdmitAsync("c", 60)).RunsAhead);
    }

    [Fact]
    public async Task Admit_RunAheadDiedWithoutGivingItsPlaceBack_GoesOn()
    {
        await AdmitAsync("a", 80);
        _ended.Add("a");

        Assert.Equal(AdmissionState.Admitted, (await AdmitAsync("b", 80)).State);
    }

    [Fact]
    public async Task Admit_StoppedWhileItWaits_GivesItsPlaceBack()
    {
        await AdmitAsync("a", 80);
        await AdmitAsync("b", 80);
        await new RunFiles(_store, "b").RequestStopAsync(Cancellation);

        Assert.Equal(AdmissionState.Stopped, (await AdmitAsync("b", 80)).State);
        Assert.Equal(new Admission(AdmissionState.Waiting, RunsAhead: 1), await AdmitAsync("c", 80));
    }

    [Fact]
    public async Task Admit_ManyAtTheSameInstant_NeverOverfill()
    {
        var admissions = await Task.WhenAll(Enumerable.Range(0, 12).Select(i => Task.Run(() => AdmitAsync($"r{i}", 30), Cancellation)));

        Assert.Equal(Capacity / 30, admissions.Count(admission => admission.State == AdmissionState.Admitted));
    }

    private Task<Admission> AdmitAsync(string id, int workers) =>
        Admission.AdmitAsync(
            new RunSpec { Id = id, Workers = workers }, (other, _) => Task.FromResult(!_ended.Contains(other)), Cancellation);
}
