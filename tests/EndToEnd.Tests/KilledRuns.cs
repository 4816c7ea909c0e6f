namespace ScaleOut.Tests.EndToEnd;

/// <summary>An account that outlives the program, and the checks of a run that was killed and resumed.</summary>
internal static class KilledRuns
{
    /// <summary>A report's page is larger, and any other item is smaller.</summary>
    public const int KilobytesWithoutThePage = 24;

    /// <summary>A leg's result is larger, and all that a run writes before it is smaller.</summary>
    public const int KilobytesWithoutAResult = 2;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public static Task<SimulatedAccount> StartAccountAsync() =>
        SimulatedAccount.StartAsync(new AccountSettings { Latency = LatencyProfile.None, PhysicalPartitions = 1 }, Cancellation);

    public static string[] Target(SimulatedAccount account) =>
        ["--account", account.HttpsEndpoint.ToString(), "--account-thumbprint", account.CertificateThumbprint];

    public static Dictionary<string, string> Key(SimulatedAccount account) => new() { ["COSMOS_KEY"] = account.Key };

    public static ContainerLedger ContainerOf(SimulatedAccount account, string runId) =>
        Assert.Single(account.ReadLedger().Containers, container => container.Name == $"run-{runId}");

    public static void AssertComplete(string folder, string runId, long documents, ContainerLedger ledger)
    {
        var run = new FinishedRun(Path.Combine(folder, "runs"), runId);
        var report = run.Report;
        Assert.True(report.State == RunState.Complete, string.Join(' ', report.Warnings));
        var present = report.Documents.Inserted + report.Documents.AlreadyPresent;
        Assert.Equal((documents, documents, documents), (report.Documents.Verified, present, ledger.Documents.Created));
        Assert.Equal((true, report.Spec.Simulation is not null), (report.Simulated, !ledger.Deleted));
        Assert.All(RunForms.Kind.Forms, form => Assert.NotEqual(0, new FileInfo(Path.Combine(run.Folder, form.FileName)).Length));
        Assert.True(run.Has("ended.json"));
        Assert.Empty(Directory.EnumerateFiles(run.Folder, "*.tmp-*", SearchOption.AllDirectories));
    }
}
