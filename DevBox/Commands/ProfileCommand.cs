namespace ScaleOut.DevBox.Commands;

/// <summary><c>profile</c>: the physics of the account that an experiment measured.</summary>
internal sealed class ProfileCommand
{
    private readonly Argument<string> _experiment = new("experiment id")
    {
        Description = "The experiment's id: the name of its folder.",
    };

    private readonly RunsFolderOption _out = new();
    private readonly ProfileOutput _output = new();

    public Command Create() => new CommandWithExamples(
        "profile",
        "Makes the profile of an account from the reports of an experiment, for --profile of run, experiment and account.",
        RunAsync,
        ("profile nightly", "profile.json, and its page profile.html, from the experiment 'nightly' in the folder 'runs'"),
        ("profile nightly --out results --json my.json", "from one in the folder 'results'"))
    {
        _experiment, _out, _output.All,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var runsFolder = errors.Try(() => _out.Read(input));
        _output.CheckFiles(input, errors);
        errors.ThrowIfAny();

        var id = input.Value(_experiment)!;
        // An id that is a path would lead to another folder.
        if (Path.GetFileName(id) != id)
            throw new InputException($"there is no experiment '{id}' in {runsFolder}; the folder of another one is given by {_out.Name}.");
        var profile = await ExperimentProfile.MakeAsync(new RunFolder(runsFolder!, id), cancellationToken);
        await _output.WriteAsync(input, profile);
        return ExitCode.Complete;
    }
}

/// <summary>The output options of a command that makes a profile: its file, its page, and the console.</summary>
internal sealed class ProfileOutput : ResultOutput
{
    public ProfileOutput()
        : base("the profile", ProfileFile.DefaultName) =>
        Page.Description = "Writes its page to this file: .html or .md (default: beside the profile).";

    /// <summary>Writes a profile and its page, and shows the page. A profile whose file cannot be written is printed.</summary>
    /// <exception cref="InputException">A file cannot be written.</exception>
    public async Task WriteAsync(CommandInput input, AccountProfile profile)
    {
        if (Json.IsStandardOutput(input))
        {
            await WriteAsync(input, ProfilePage.From(profile), ProfileFile.Write(profile));
            return;
        }

        var file = Json.File(input)!;
        await ExperimentProfile.WriteAsync(
            profile, file, input.Value(Page) ?? Path.ChangeExtension(file, ".html"), Text(input), Console.Out);
    }
}
