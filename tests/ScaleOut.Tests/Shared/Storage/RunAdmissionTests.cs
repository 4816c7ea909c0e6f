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
        string[] ids = [.. Enumerable.Range(0, 12).Select(i => $"r{i}")];
        var first = await Task.WhenAll(ids.Select(id => Task.Run(() => AdmitAsync(id, 30), Cancellation)));
        var second = await Task.WhenAll(ids.Select(id => AdmitAsync(id, 30)));

        // At first some may still draw.
        Assert.InRange(first.Count(admission => admission.State == AdmissionState.Admitted), 1, Capacity / 30);
        Assert.Equal(Capacity / 30, second.Count(admission => admission.State == AdmissionState.Admitted));
        Assert.All(
            first.Zip(second).Where(asked => asked.First.State == AdmissionState.Admitted),
            asked => Assert.Equal(AdmissionState.Admitted, asked.Second.State));
    }

    /// <summary>
    /// Tickets 1 and 2 are there when one run looks; 2 is given back when the next looks, which draws 2 again, after 3 was drawn.
    /// </summary>
    [Fact]
    public async Task Admit_NumberThatIsDrawnAgain_DoesNotOvertake()
    {
        await AdmitAsync("a", 60);
        await AdmitAsync("b", 30);
        var (late, early) = (new PausedStore(_store), new PausedStore(_store));

        // The early run has looked, and sees both tickets; then the second is given back, and the late run looks.
        var ofEarly = AdmitAsync("early", 40, early);
        await early.Looked;
        await Admission.ReleaseAsync("b", Cancellation);
        var ofLate = AdmitAsync("late", 40, late);
        await late.Looked;
        early.Continue();
        var first = await ofEarly;
        late.Continue();
        var second = await ofLate;

        Assert.Equal(AdmissionState.Admitted, first.State);
        Assert.Equal(AdmissionState.Waiting, second.State);
    }

    private Task<Admission> AdmitAsync(string id, int workers, IRunStore? store = null) =>
        new RunAdmission(store ?? _store, Capacity).AdmitAsync(
            new RunSpec { Id = id, Workers = workers }, (other, _) => Task.FromResult(!_ended.Contains(other)), Cancellation);

    /// <summary>Stops before the first item that it creates, so that what was listed before is old by then.</summary>
    private sealed class PausedStore(IRunStore store) : IRunStore
    {
        private readonly TaskCompletionSource _looked = new();
        private readonly TaskCompletionSource _continued = new();

        public Task Looked => _looked.Task;

        public void Continue() => _continued.SetResult();

        public async Task<bool> TryCreateAsync(
            string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
        {
            _looked.TrySetResult();
            await _continued.Task.WaitAsync(cancellationToken);
            return await store.TryCreateAsync(runId, name, content, cancellationToken);
        }

        public Task WriteAsync(string runId, string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken) =>
            store.WriteAsync(runId, name, content, cancellationToken);

        public Task<byte[]?> ReadAsync(string runId, string name, CancellationToken cancellationToken) =>
            store.ReadAsync(runId, name, cancellationToken);

        public Task<IReadOnlyList<string>> ListAsync(string runId, string prefix, CancellationToken cancellationToken) =>
            store.ListAsync(runId, prefix, cancellationToken);

        public Task DeleteAsync(string runId, Func<string, bool> isMeant, CancellationToken cancellationToken) =>
            store.DeleteAsync(runId, isMeant, cancellationToken);
    }
}
