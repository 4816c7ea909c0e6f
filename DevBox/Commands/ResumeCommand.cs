using System.CommandLine;
using System.Text;
using ScaleOut.DevBox.Accounts;
using ScaleOut.DevBox.Engine;
using ScaleOut.Experiments;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary><c>resume</c>: a run whose program was killed goes on from what was done.</summary>
internal sealed class ResumeCommand
{
    private readonly Argument<string> _id = new("run id") { Description = "The run's or experiment's id: the name of its folder." };
    private readonly RunOutput _output = new();
    private readonly ProgressQueueOption _queue = new();

    public Command Create()
    {
        var command = new Command("resume", "Goes on with a run or an experiment whose program was killed, from what was done.");
        command.Arguments.Add(_id);
        _output.AddTo(command);
        _queue.AddTo(command);
        command.SetAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var faults = new FaultCollector();
        var runsFolder = faults.Try(() => _output.RunsFolder(parsed));
        var condition = faults.Try(() => _output.FailIf(parsed));
        faults.Try(() => _output.CheckJson(parsed));
        var queue = await faults.TryAsync(() => _queue.OpenAsync(parsed, cancellationToken));
        faults.ThrowIfAny();

        var id = parsed.GetValue(_id)!;
        var folder = new RunFolder(runsFolder!, id);
        var files = new RunFiles(new FolderRunStore(folder.RunsFolder), id);
        if (Path.GetFileName(id) == id && await new ExperimentFiles(new FolderRunStore(folder.RunsFolder), id).ReadSpecAsync(cancellationToken) is { } experiment)
            return await ResumeExperimentAsync(parsed, condition, folder, experiment, cancellationToken);
        if (Path.GetFileName(id) != id || await files.ReadSpecAsync(cancellationToken) is not { } json)
            throw new InputException($"there is no run '{id}' in {runsFolder}.");
        using var runLock = RunLock.TryTake(folder) ?? throw new InputException($"run '{id}' is being run by another process.");
        var spec = ReadSpec(json, folder);

        if (await files.ReadReportAsync("report.json", cancellationToken) is not null)
        {
            await EndLeftAccountAsync(folder, cancellationToken);
            throw new InputException($"run '{id}' has ended; its report is {folder.ReportPage}.");
        }

        File.Delete(folder.StopFile);
        return await RunExecution.RunAsync(parsed, _output, spec, folder, condition, queue, giveUp => OpenAsync(folder, spec, files, giveUp));
    }

    private async Task<int> ResumeExperimentAsync(ParseResult parsed, FailIfCondition? condition, RunFolder folder, byte[] claimed, CancellationToken cancellationToken)
    {
        if (condition is not null)
            throw new InputException("--fail-if: only for runs, and this is an experiment.");
        using var runLock = RunLock.TryTake(folder) ?? throw new InputException($"experiment '{folder.RunId}' is being run by another process.");
        var spec = await ExperimentResumption.OpenAsync(new ExperimentFiles(new FolderRunStore(folder.RunsFolder), folder.RunId), folder, claimed, cancellationToken);
        var account = await RunAccounts.FindAsync(folder, AccountOptions.KeyFromEnvironment, cancellationToken);
        if (account is not null)
            AccountOptions.Check(account.Connection);
        return await ExperimentExecution.RunAsync(parsed, _output, spec, folder, account?.Connection);
    }

    private static RunSpec ReadSpec(byte[] json, RunFolder folder)
    {
        var reading = RunSpecReader.Read(Encoding.UTF8.GetString(json));
        return reading.Spec ?? throw new InputException([.. reading.Faults.Select(fault => $"{Path.Combine(folder.FullPath, "spec.json")}: {fault}")]);
    }

    private static async Task<RunAccount> OpenAsync(RunFolder folder, RunSpec spec, RunFiles files, CancellationToken cancellationToken)
    {
        if (await RunAccounts.FindAsync(folder, AccountOptions.KeyFromEnvironment, cancellationToken) is { } account)
        {
            AccountOptions.Check(account.Connection);
            return account;
        }

        if (spec.Simulation is null || await files.ReadPreparedAsync(cancellationToken) is not null)
            throw new InputException($"run '{folder.RunId}' cannot be resumed: its folder does not say which account it went to.");
        return await RunAccounts.StartAsync(folder, spec, cancellationToken);
    }

    /// <summary>The program was killed after the report was written: the account has nothing left to do.</summary>
    private static async Task EndLeftAccountAsync(RunFolder folder, CancellationToken cancellationToken)
    {
        try
        {
            if (await RunAccounts.FindAsync(folder, key: null, cancellationToken) is { } account)
                await account.EndAsync();
        }
        catch (InputException)
        {
            // It is gone, as it should be.
        }
    }
}
