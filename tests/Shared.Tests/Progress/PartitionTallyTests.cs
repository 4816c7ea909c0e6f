namespace ScaleOut.Tests.Shared.Progress;

public class PartitionTallyTests
{
    private readonly PartitionTally _tally = new();

    [Fact]
    public void Take_LegsAndAttemptsOfSeveralWorkers_AddUpOnce()
    {
        Take(worker: 0, leg: 1, at: 1, ("", "80", 10), ("80", "FF", 20));
        Take(worker: 1, leg: 1, at: 1, ("", "80", 5), ("80", "FF", 5));
        Take(worker: 0, leg: 1, at: 2, ("", "80", 15), ("80", "FF", 20));
        Take(worker: 0, leg: 2, at: 3, ("", "80", 1), ("80", "FF", 2));
        var rows = _tally.Statuses(TimeSpan.FromSeconds(3), budgetPerSecond: 1_000);

        Assert.Equal([("", "80", 21.0), ("80", "FF", 27.0)], rows.Select(row => (row.Min, row.Max, row.Counts.RequestUnits.Value)));
        Assert.All(rows, row => Assert.Equal(500, row.BudgetPerSecond));
        // Of the first worker alone: the second has reported only once.
        Assert.Equal((16 - 10) / 2.0, rows[0].PerSecond.RequestUnits, 6);
        _tally.EndWorker(0);
        var ended = _tally.Statuses(TimeSpan.FromSeconds(3), null)[0];
        Assert.Equal((0, 21), (ended.PerSecond.RequestUnits, ended.Counts.RequestUnits.Value));
    }

    [Fact]
    public void Rows_AfterASplit_ShowOnlyTheParts()
    {
        Take(worker: 0, leg: 1, at: 1, ("", "80", 10), ("80", "FF", 20));
        Take(worker: 0, leg: 2, at: 2, ("", "40", 1), ("40", "80", 1), ("80", "FF", 1));
        var rows = _tally.Statuses(TimeSpan.FromSeconds(2), budgetPerSecond: null);
        Assert.Equal(["", "40", "80"], rows.Select(row => row.Min));
        Assert.All(rows, row => Assert.Null(row.BudgetPerSecond));
    }

    private void Take(int worker, int leg, int at, params (string Min, string Max, double RequestUnits)[] partitions) => _tally.Take(
        new WorkerProgress
        {
            RunId = "r", Worker = worker, Workers = 2, Leg = leg, Attempt = 1, Sequence = at, Activity = WorkerState.Running,
            At = DateTimeOffset.UnixEpoch,
            Partitions =
            [
                .. partitions.Select(one =>
                    new PartitionProgress(one.Min, one.Max, new() { RequestUnits = RequestUnits.From(one.RequestUnits) })),
            ],
        },
        TimeSpan.FromSeconds(at));
}
