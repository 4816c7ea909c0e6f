namespace ScaleOut.DevBox.Runs;

/// <summary>Paths in the folder of one run, beside the items of its run store.</summary>
internal sealed class RunFolder(string runsFolder, string runId)
{
    public string RunId => runId;

    /// <summary>The folder that holds the runs' folders.</summary>
    public string RunsFolder => runsFolder;

    public string FullPath => Path.Combine(runsFolder, runId);

    public string LogFolder => Path.Combine(FullPath, "logs");

    /// <summary>Takes what this program has to say about its own errors.</summary>
    public string OwnLog => Path.Combine(LogFolder, "devbox.log");

    public string AccountLog => Path.Combine(LogFolder, "account.log");

    public string LockFile => Path.Combine(FullPath, "lock");

    public string SpecFile => Path.Combine(FullPath, RunFiles.SpecName);

    public string LedgerFile => Path.Combine(FullPath, "ledger.json");

    public string ReportPage => Path.Combine(FullPath, "report.html");
}
