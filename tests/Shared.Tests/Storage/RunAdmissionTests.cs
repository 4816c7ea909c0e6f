namespace ScaleOut.Tests.Shared.Storage;

public sealed class RunAdmissionTests
{
    private const int Capacity = 100;

    private readonly MemoryRunStore _store = new();
    private readonly HashSet<string> _ended = [];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;
    private RunAdmission Admission => new(_store, Capacity, TimeProvider.System);

    [Fact]
    public async Task Admit_TwoWideRuns_TheSecondWaitsUntilTheFirstHasEnded()
    {
        Assert.Equal(AdmissionState.Admitted, (await AdmitAsync("a", 80)).State);
        Assert.Equal(new Admission(AdmissionState.Waiting, RunsAhead: 1), await AdmitAsync("b", 40));
        await Admission.ReleaseAsync("a", Cancellation);
        Assert.Equal(AdmissionState.Admitted, (await AdmitAsync("b", 40)).State);
    }

    [Fact]
    public async Task Admit_OtherRunsAlwaysDrawTheNextTicketFirst_WaitsBetweenItsTries()
    {
        var tries = 0;
        _store.BeforeWrite = name =>
        {
            if (tries++ % 2 == 0)
                _ = _store.TryCreateAsync(
                    "_queue", name, """{"runId":"other","workers":1,"holds":true}"""u8.ToArray(), CancellationToken.None);
        };
        using var over = CancellationTokenSource.CreateLinkedTokenSource(Cancellation);
        var time = new ManualTime(DateTimeOffset.UnixEpoch);
        var admitted = new RunAdmission(_store, Capacity, time).AdmitAsync(
            new RunSpec { Id = "a", Workers = 1 }, (_, _) => Task.FromResult(true), over.Token);
        for (var passed = 0; passed < 1_000; passed++)
            time.Advance(TimeSpan.FromMilliseconds(1));
        await over.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => admitted);
        // The pauses double from 50 ms, of which a random part is waited.
        Assert.InRange(tries / 2, 5, 100);
    }

    [Fact]
    public async Task Admit_RunsThatFitTogether_BeginTogether()
    {
        foreach (var id in (string[])["a", "b", "c"])
            Assert.Equal(AdmissionState.Admitted, (await AdmitAsync(id, 33)).State);
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

        // At first some may still draw their numbers.
        Assert.InRange(first.Count(admission => admission.State == AdmissionState.Admitted), 1, Capacity / 30);
        Assert.Equal(Capacity / 30, second.Count(admission => admission.State == AdmissionState.Admitted));
        Assert.All(
            first.Zip(second).Where(asked => asked.First.State == AdmissionState.Admitted),
            asked => Assert.Equal(AdmissionState.Admitted, asked.Second.State));
    }

    /// <summary>A run looks while tickets 1 and 2 are there. Ticket 2 is given back, and the next run draws it again after 3.</summary>
    [Fact]
    public async Task Admit_NumberThatIsDrawnAgain_DoesNotOvertake()
    {
        await AdmitAsync("a", 60);
        await AdmitAsync("b", 30);
        // Each run stops before it creates its ticket, so that its list of tickets is old by then.
        var stops = Enumerable.Range(0, 2).Select(_ => (Looked: new TaskCompletionSource(), Continue: new TaskCompletionSource())).ToList();
        var writes = 0;
        _store.BeforeWrite = _ =>
        {
            var write = writes++;
            if (write >= stops.Count)
                return;
            stops[write].Looked.SetResult();
            stops[write].Continue.Task.Wait(Cancellation);
        };

        // The early run has seen both tickets when the second is given back. Then the late run looks.
        var early = Task.Run(() => AdmitAsync("early", 40), Cancellation);
        await stops[0].Looked.Task;
        await Admission.ReleaseAsync("b", Cancellation);
        var late = Task.Run(() => AdmitAsync("late", 40), Cancellation);
        await stops[1].Looked.Task;
        stops[0].Continue.SetResult();
        Assert.Equal(AdmissionState.Admitted, (await early).State);
        stops[1].Continue.SetResult();
        Assert.Equal(AdmissionState.Waiting, (await late).State);
    }

    private Task<Admission> AdmitAsync(string id, int workers) => Admission.AdmitAsync(
        new RunSpec { Id = id, Workers = workers }, (other, _) => Task.FromResult(!_ended.Contains(other)), Cancellation);
}
