namespace ScaleOut.Bench.Modes;

/// <summary>
/// Prints inserts per second and CPU per insert of worker and account, for both modes, three workloads and four numbers of operations in
/// flight. The account has no latency, so CPU limits everything: the table shows what an operation costs, not which mode is faster.
/// </summary>
public static class ModeTable
{
    private static readonly int[] InFlight = [1, 4, 16, 50];
    private static readonly WorkloadKind[] Workloads = [WorkloadKind.Insert, WorkloadKind.Batch, WorkloadKind.Bulk];
    private static readonly ConnectionMode[] Modes = [ConnectionMode.Gateway, ConnectionMode.Direct];
    private static readonly TimeSpan Warming = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan Measuring = TimeSpan.FromSeconds(3);

    public static async Task RunAsync()
    {
        using var account = await AccountServer.StartAsync(LatencyProfile.None);
        var target = await AccountServer.CreateContainerAsync(account.Ready.Connection, "modes");
        await using var bench = new LegBench(account.Ready.Connection, target);

        foreach (var workload in Workloads)
        {
            foreach (var mode in Modes)
                await bench.RunAsync(new LegSettings(mode, workload, 16), Warming);
        }

        Console.WriteLine(
            "| workload | in flight | Gateway inserts/s | worker us | account us | Direct inserts/s | worker us | account us |");
        Console.WriteLine("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        foreach (var workload in Workloads)
        {
            foreach (var inFlight in InFlight)
            {
                var cells = new List<string>();
                foreach (var mode in Modes)
                {
                    var before = account.CpuTime;
                    var result = await bench.RunAsync(new LegSettings(mode, workload, inFlight), Measuring);
                    var accountCpu = (account.CpuTime - before).TotalSeconds;
                    var inserted = result.Output.Counts.Inserted;
                    cells.Add(string.Create(
                        CultureInfo.InvariantCulture,
                        $"{inserted / (result.EndedAt - result.StartedAt).TotalSeconds:N0} | "
                            + $"{result.Machine.CpuSeconds / inserted * 1e6:0.0} | {accountCpu / inserted * 1e6:0.0}"));
                }

                Console.WriteLine($"| {workload} | {inFlight} | {string.Join(" | ", cells)} |");
            }
        }
    }
}
