using System.CommandLine;
using ScaleOut.DevBox.Calibration;
using ScaleOut.DevBox.Display;
using ScaleOut.DevBox.Runs;
using ScaleOut.Profiles;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Calibration;

namespace ScaleOut.DevBox.Commands;

/// <summary><c>calibrate</c>: measures an account's physics, so that the simulated account can have them.</summary>
internal sealed class CalibrateCommand
{
    private readonly AccountConnectionOptions _account = new();

    private readonly Option<string?> _cost = new("--max-cost-ru")
    {
        Description = FormattableString.Invariant($"RU that it may be charged at most (default {CalibrationPlan.DefaultCost:#,0})."),
        HelpName = "RU",
    };

    private readonly Option<string?> _minutes = new("--minutes")
    {
        Description = FormattableString.Invariant(
            $"How long it measures ({CalibrationPlan.FewestMinutes} to {CalibrationPlan.MostMinutes}, the default; ")
            + FormattableString.Invariant($"with --check at least {ProfileCheck.FewestMinutes})."),
        HelpName = "minutes",
    };

    private readonly Option<string?> _out = new("--out")
    {
        Description = $"Where the profile is written (default {ProfileFile.DefaultName}); its page lies beside it.",
        HelpName = ProfileFile.DefaultName,
    };

    private readonly Option<string?> _check = new("--check")
    {
        Description = "Measures no profile, but runs three small specs on the account and on a simulated one with this profile, and says "
            + "whether both give the same.",
        HelpName = ProfileFile.DefaultName,
    };

    private readonly Option<bool> _yes = new("--yes") { Description = "Does not ask before it starts." };

    public Command Create()
    {
        var command = new Command(
            "calibrate",
            "Measures what an account's operations cost and how long they take, for --profile of run, experiment and account.");
        _account.AddTo(command);
        foreach (var option in (Option[])[_cost, _minutes, _out, _check, _yes])
            command.Options.Add(option);
        command.Action = new CommandAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var account = errors.Try(() => _account.Read(input) ?? throw new InputException("--account: name the account to measure."));
        var most = errors.Try(() => input.Value(_cost) is { } text
            ? NumberText.Parse(_cost.Name, text, 1, 1e12)
            : CalibrationPlan.DefaultCost);
        var minutes = errors.Try(() => Minutes(input));
        var file = errors.Try(() => OutputFile(input)) ?? ProfileFile.DefaultName;
        var check = await errors.TryAsync(async () =>
            input.Value(_check) is { } profile ? await ProfileOption.ReadAsync(profile, _check.Name, cancellationToken) : null);
        errors.Try(() => CheckTogether(input));
        errors.ThrowIfAny();

        if (check is not null)
        {
            var comparison = new ProfileCheck(check, account!, minutes);
            return await ConfirmAsync(input, comparison.Describe()) ? await comparison.RunAsync() : ExitCode.Stopped;
        }

        var plan = new CalibrationPlan(minutes);
        IReadOnlyList<string> lines =
        [
            FormattableString.Invariant($"calibrates {account!.Endpoint.Host} for about {minutes:0.#} min"), .. plan.Describe(),
            FormattableString.Invariant($"costs about {plan.ExpectedCost():#,0} RU, at most {most:#,0}")
                + (plan.ExpectedCost() > most ? ": that ends it before its last phases" : ""),
        ];
        return await ConfirmAsync(input, lines) ? await MeasureAsync(account, plan, new CostMeter(most), file) : ExitCode.Stopped;
    }

    private static async Task<int> MeasureAsync(AccountConnection account, CalibrationPlan plan, CostMeter cost, string file)
    {
        using var stop = new CancellationTokenSource();
        ReferenceAccount? reference = null;
        AccountCalibration? calibration = null;
        using var signals = StopSignals.Listen(
            onFirst: stop.Cancel,
            onSecond: () =>
            {
                reference?.Kill();
                if (calibration?.LeftContainer is { } left)
                    ErrorLines.Write([$"the container {left} is not deleted and goes on to cost money; delete it by hand."]);
                Environment.Exit(ExitCode.Stopped);
            });
        try
        {
            await using var started = reference = await ReferenceAccount.StartAsync(stop.Token);
            var display = new CalibrationDisplay(Console.Out, cost);
            calibration = new AccountCalibration(account, reference.Connection, plan, cost, display.Show);
            var profile = await display.ShowWhileAsync(calibration.RunAsync(stop.Token));
            await ProfileOutput.WriteAsync(profile, file, Console.Out);
            return ExitCode.Complete;
        }
        catch (OperationCanceledException) when (stop.IsCancellationRequested)
        {
            await Console.Error.WriteLineAsync("stopped: the calibration's container is deleted, and no profile is written.");
            return ExitCode.Stopped;
        }
        catch (Exception e) when (e is AccountException or InvalidOperationException)
        {
            ErrorLines.Write([OneLine.From(e.Message)]);
            return ExitCode.Incomplete;
        }
    }

    /// <summary>Prints what will be done and asks.</summary>
    private async Task<bool> ConfirmAsync(CommandInput input, IReadOnlyList<string> lines)
    {
        foreach (var line in lines)
            Console.WriteLine(line);
        if (input.Value(_yes))
            return true;
        if (Console.IsInputRedirected)
            throw new InputException($"{_yes.Name}: without a terminal nobody can be asked; give {_yes.Name} to start.");
        await Console.Out.WriteAsync("Start? [y/N] ");
        return Console.ReadLine()?.Trim() is "y" or "Y" or "yes";
    }

    private double Minutes(CommandInput input)
    {
        var (name, fewest) = input.Value(_check) is null
            ? (_minutes.Name, CalibrationPlan.FewestMinutes)
            : ($"{_minutes.Name}, with {_check.Name}", ProfileCheck.FewestMinutes);
        return input.Value(_minutes) is { } text
            ? NumberText.Parse(name, text, fewest, CalibrationPlan.MostMinutes)
            : CalibrationPlan.MostMinutes;
    }

    private void CheckTogether(CommandInput input)
    {
        if (input.Value(_check) is null)
            return;
        foreach (var option in (Option<string?>[])[_cost, _out])
        {
            if (input.Value(option) is not null)
                throw new InputException($"{option.Name}: not beside {_check.Name}, which measures no profile.");
        }
    }

    private string OutputFile(CommandInput input)
    {
        var file = input.Value(_out) ?? ProfileFile.DefaultName;
        if (string.IsNullOrWhiteSpace(file) || Directory.Exists(file))
            throw new InputException($"{_out.Name}: '{file}' is no file.");
        return Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder)
            ? throw new InputException($"{_out.Name}: there is no folder '{folder}'.")
            : file;
    }
}
