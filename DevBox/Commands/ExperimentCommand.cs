using System.CommandLine;
using ScaleOut.DevBox.Accounts;
using ScaleOut.DevBox.Machine;
using ScaleOut.DevBox.Runs;
using ScaleOut.Experiments;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Commands;

/// <summary><c>experiment</c>: all runs of a plan, one after the other, and the findings that they support.</summary>
internal sealed class ExperimentCommand
{
    private readonly ExperimentOptions _plan = new();
    private readonly AccountOptions _account = new();
    private readonly ReportOutput _output = new(example: "published.pairs.disagree>0");

    public Command Create()
    {
        var command = new Command("experiment", "Runs an experiment: its variants, each with a simulated account of its own, and a report of the findings.");
        _plan.AddTo(command);
        _account.AddTo(command);
        _output.AddTo(command);
        command.Action = new CommandAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var faults = input.Faults();
        var runsFolder = faults.Try(() => _output.RunsFolder(input));
        var condition = faults.Try(() => _output.FailIf(input, FailIfNames.OfExperiment));
        faults.Try(() => _output.CheckJson(input));
        var account = faults.Try(() => _account.Read(input));
        var target = _account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        var spec = await faults.TryAsync(() => _plan.ReadAsync(input, target, cancellationToken));
        faults.ThrowIfAny();

        var experiment = spec! with { Id = spec.Id ?? ExperimentIds.New(DateTimeOffset.UtcNow) };
        var folder = new RunFolder(runsFolder!, experiment.Id);
        using var experimentLock = await ClaimAsync(folder, experiment, account, cancellationToken);
        if (account is null)
        {
            var plans = experiment.Variants.Select((_, variant) => ExperimentRuns.PlanOf(experiment, variant));
            await _output.Text(input).WriteLineAsync($"memory: {MemoryNeed.Largest(plans).Describe()}");
        }

        return await ExperimentExecution.RunAsync(input, _output, experiment, folder, condition, account);
    }

    /// <summary>Claims a new experiment, or takes up the same one where it was interrupted.</summary>
    private static async Task<RunLock> ClaimAsync(RunFolder folder, ExperimentSpec spec, AccountConnection? account, CancellationToken cancellationToken)
    {
        RunLock? taken = null;
        try
        {
            taken = RunLock.TryTake(folder) ?? throw new InputException($"--id: experiment '{spec.Id}' is running already in {folder.FullPath}.");
            var store = new FolderRunStore(folder.RunsFolder);
            var files = new ExperimentFiles(store, folder.RunId);
            var isFree = await files.ReadSpecAsync(cancellationToken) is null && await new RunFiles(store, folder.RunId).ReadSpecAsync(cancellationToken) is null;
            if (isFree && account is not null)
                await RunAccounts.NoteAsync(folder, account, cancellationToken);
            if (!isFree || !await files.TryClaimAsync(spec, cancellationToken))
                await ExperimentResumption.CheckSameAsync(files, folder, spec, simulated: account is null, cancellationToken);
            return taken;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            taken?.Dispose();
            throw new InputException($"--out: the experiment's folder {folder.FullPath} cannot be written: {OneLine.Of(e.Message)}");
        }
        catch
        {
            taken?.Dispose();
            throw;
        }
    }
}
