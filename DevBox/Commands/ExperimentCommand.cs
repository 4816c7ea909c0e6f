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

/// <summary><c>experiment</c>: all runs of an experiment, one after the other, and the findings that they support.</summary>
internal sealed class ExperimentCommand
{
    private readonly ExperimentOptions _specOptions = new();
    private readonly AccountOptions _account = new();
    private readonly TableAccountOption _tables = new();
    private readonly ReportOutput _output = new(example: "published.pairs.disagree>0");

    public Command Create()
    {
        var command = new Command(
            "experiment", "Runs an experiment: its variants, each with a simulated account of its own, and a report of the findings.");
        _specOptions.AddTo(command);
        _account.AddTo(command);
        _tables.AddTo(command);
        _output.AddTo(command);
        command.Action = new CommandAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var runsFolder = errors.Try(() => _output.RunsFolder(input));
        var condition = errors.Try(() => _output.FailIf(input, FailIfNames.OfExperiment));
        errors.Try(() => _output.CheckJson(input));
        var account = errors.Try(() => _account.Read(input));
        var tables = errors.Try(() => _tables.Read(input));
        var target = _account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        var spec = await errors.TryAsync(() => _specOptions.ReadAsync(input, target, cancellationToken));
        errors.ThrowIfAny();

        var experiment = spec! with { Id = spec.Id ?? ExperimentIds.New(DateTimeOffset.UtcNow) };
        var folder = new RunFolder(runsFolder!, experiment.Id);
        using var experimentLock = await ClaimAsync(folder, experiment, account, tables, cancellationToken);
        var runs = experiment.Limit is null
            ? experiment.Variants.Select((_, variant) => ExperimentRuns.PlanOf(experiment, variant))
            : [LimitRuns.First(experiment).Spec];
        if (account is null && MemoryNeed.Largest(runs) is { } memory)
            await _output.Text(input).WriteLineAsync($"memory: {memory.Describe()}");

        return await ExperimentExecution.RunAsync(input, _output, experiment, folder, condition, account, tables);
    }

    /// <summary>Claims a new experiment, or resumes the same one where it was interrupted.</summary>
    public static async Task<RunLock> ClaimAsync(
        RunFolder folder, ExperimentSpec spec, AccountConnection? account, TableAccount? tables, CancellationToken cancellationToken)
    {
        RunLock? taken = null;
        try
        {
            taken = RunLock.TryTake(folder)
                ?? throw new InputException($"--id: experiment '{spec.Id}' is running already in {folder.FullPath}.");
            var store = new FolderRunStore(folder.RunsFolder);
            var files = new ExperimentFiles(store, folder.RunId);
            var isFree = await files.ReadSpecAsync(cancellationToken) is null
                && await new RunFiles(store, folder.RunId).ReadSpecAsync(cancellationToken) is null;
            if (isFree && account is not null)
                await RunAccounts.NoteAsync(folder, account, cancellationToken);
            if (!isFree || !await files.TryClaimAsync(spec, cancellationToken))
                await ExperimentResumption.CheckSameAsync(files, folder, spec, simulated: account is null, tables, cancellationToken);
            return taken;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            taken?.Dispose();
            throw new InputException($"--out: the experiment's folder {folder.FullPath} cannot be written: {OneLine.From(e.Message)}");
        }
        catch
        {
            taken?.Dispose();
            throw;
        }
    }
}
