namespace ScaleOut.Tests.Shared.Specs;

public sealed class WorkerWorkloadsTests
{
    /// <summary>Two workers write at most 141 RU/s together, and two read what was written before the start.</summary>
    private static readonly RunSpec Spec = RunSpecReader.Read(
        """
        {
          "documents": 400, "workers": 4, "workload": { "mix": { "insert": 1, "read": 1 } }, "simulation": { "latency": "none" },
          "workerOverrides": [
            { "workers": [0, 1], "mix": { "insert": 1 }, "requestUnitRate": 141 },
            { "workers": [2, 3], "mix": { "read": 1 } }
          ]
        }
        """).Value!;

    [Fact]
    public void WorkloadOf_Worker_HasItsOwnMixAndRequestUnits()
    {
        Assert.Equal(
            ["1 insert", "1 insert", "1 read", "1 read"], Enumerable.Range(0, 4).Select(worker => $"{Spec.WorkloadOf(worker).Mix}"));
        // A worker takes a quarter of its workload's RU/s.
        Assert.Equal([70.5, 70.5, null, null], Enumerable.Range(0, 4).Select(worker => Spec.WorkloadOf(worker).PaceOf(null) / 4));
        Assert.Same(Spec.Workload, (Spec with { WorkerOverrides = [] }).WorkloadOf(0));
    }

    [Fact]
    public void Counts_OwnMixes_AreThoseOfTheWorkersSlices()
    {
        Assert.Equal((200, 200), (Spec.PreloadOf(), Spec.RiseOf()));
        // Without overrides, every second number of the whole run is a read.
        Assert.Equal((200, 200), ((Spec with { WorkerOverrides = [] }).PreloadOf(), (Spec with { WorkerOverrides = [] }).RiseOf()));
        var readers = Spec with { WorkerOverrides = [Spec.WorkerOverrides[1] with { Workers = [0, 1, 2, 3] }] };
        Assert.Equal((400, 0), (readers.PreloadOf(), readers.RiseOf()));
    }

    /// <summary>The readers of the plan beside its writers: both are at work for most of the run.</summary>
    [Fact]
    public void Plan_ReadersBesideWriters_LastAlike()
    {
        var spec = RunSpecReader.Read(File.ReadAllText(Path.Combine(RepositoryFiles.Plans, "readers-and-writers.json"))).Value!;
        var slice = spec.Documents / spec.Workers;
        var seconds = Enumerable.Range(0, spec.Workers).Select(worker => spec.SettingsOf(worker).Rate is { } rate
            ? slice / rate
            : slice * RunEstimate.ChargeOf(spec.AsOf(worker)) / spec.OwnPaceOf(worker)!.Value).ToList();
        Assert.InRange(seconds.Max(), seconds.Min(), 1.1 * seconds.Min());
        Assert.InRange(seconds.Min(), 4 * spec.Warmup.TotalSeconds, 60);
    }

    [Fact]
    public void PaceOf_AllWorkers_IsTheSumOfTheirsOrNoneIfOneHasNone()
    {
        Assert.Equal((false, true, null), (Spec.IsPaced(), Spec.HasPace(), Spec.PaceOf(1_000)));
        var all = Spec with { WorkerOverrides = [.. Spec.WorkerOverrides, new() { Workers = [2, 3], RequestUnitRate = 60 }] };
        Assert.Equal((true, 201), (all.IsPaced(), all.PaceOf(1_000)));
        var share = new RunSpec { Workload = new() { MaxRequestUnitShare = 0.5 } };
        Assert.Equal((true, 500, null), (share.IsPaced(), share.PaceOf(1_000), share.PaceOf(null)));
    }

    /// <summary>200 inserts of 7.05 RU at 141 RU/s take 10 s, after 200 inserts at 60,000 RU/s. Reads cost 1 RU.</summary>
    [Fact]
    public void Estimate_CappedWriters_TakesAsLongAsTheyDo()
    {
        var estimate = RunEstimate.From(Spec);
        Assert.Equal((200 * 7.05) + 200, estimate.RequestUnits, 6);
        Assert.Equal(10 + (200 * 7.05 / 60_000), estimate.Seconds!.Value, 3);
    }
}
