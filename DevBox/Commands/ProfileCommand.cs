using ScaleOut.DevBox.Calibration;

namespace ScaleOut.DevBox.Commands;

/// <summary><c>profile</c>: the physics of the account that an experiment measured.</summary>
internal sealed class ProfileCommand
{
    private readonly Argument<string> _experiment = new("experiment id")
    {
        Description = "The experiment's id: the name of its folder in 'runs'. Elsewhere the folder's path.",
    };

    private readonly ProfileFileOption _out = new();

    public Command Create()
    {
        var command = new Command(
            "profile", "Makes the profile of an account from the reports of an experiment, for --profile of run, experiment and account.");
        command.Arguments.Add(_experiment);
        command.Options.Add(_out);
        command.Action = new CommandAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var file = errors.Try(() => _out.Read(input));
        errors.ThrowIfAny();

        var path = Path.TrimEndingDirectorySeparator(input.Value(_experiment)!);
        var parent = Path.GetDirectoryName(path);
        var folder = new RunFolder(string.IsNullOrEmpty(parent) ? RunsFolderOption.DefaultFolder : parent, Path.GetFileName(path));
        await ExperimentProfile.WriteAsync(await ExperimentProfile.MakeAsync(folder, cancellationToken), file!, ConsolePage.Output);
        return ExitCode.Complete;
    }
}

/// <summary>The file that a profile is written to.</summary>
internal sealed class ProfileFileOption : Option<string?>
{
    public ProfileFileOption()
        : base("--out")
    {
        Description = $"Where the profile is written (default {ProfileFile.DefaultName}); its page lies beside it.";
        HelpName = ProfileFile.DefaultName;
    }

    /// <exception cref="InputException">The path is not one of a file, or its folder does not exist.</exception>
    public string Read(CommandInput input)
    {
        var file = input.Value(this) ?? ProfileFile.DefaultName;
        if (string.IsNullOrWhiteSpace(file) || Directory.Exists(file))
            throw new InputException($"{Name}: '{file}' is no file.");
        return Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder)
            ? throw new InputException($"{Name}: there is no folder '{folder}'.")
            : file;
    }
}
