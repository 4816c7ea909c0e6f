using ScaleOut.DevBox.Display;

namespace ScaleOut.Tests.DevBox.Display;

public sealed class EstimateLinesTests
{
    /// <summary>
    /// Without an index, in 21sts of a RU: a read of 1 KB 21, an insert 4 x 26, and a patch 4 x (26 + 26) besides 0.286 and 0.029 RU. That
    /// is 21.12 RU for each of 100 actions, and 4.95 RU for each of the 20 documents that are read.
    /// </summary>
    [Fact]
    public void From_Action_ShowsWhatEachStepCosts()
    {
        var spec = new RunSpec
        {
            Documents = 100, Container = new() { Indexing = IndexingMode.None },
            Workload = new()
            {
                Action = [WorkloadKind.Read, WorkloadKind.Insert, WorkloadKind.Patch, WorkloadKind.Insert], Preload = 20,
            },
        };

        var lines = EstimateLines.From(spec, RunTarget.SimulatedAccount, RunEstimate.From(spec), prices: null);

        Assert.Contains(
            "  request units  2,112, 21.1 for each action (read 1 + insert 4.95 + patch 10.2 + insert 4.95), and 99 for the documents that "
                + "are written before",
            lines);
    }
}
