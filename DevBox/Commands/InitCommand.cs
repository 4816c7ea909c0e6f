namespace ScaleOut.DevBox.Commands;

/// <summary><c>init</c>: writes a spec from the replies to six questions, each of which may be given as an option.</summary>
internal sealed class InitCommand
{
    private readonly Argument<string> _file = new("spec.jsonc") { Description = "The file to write. One that is there stays as it is." };

    public Command Create()
    {
        var command = new Command("init", "Asks six questions, and writes a spec with comments on what each field does.");
        command.Arguments.Add(_file);
        foreach (var question in InitialSpec.Questions)
            command.Options.Add(question.Option);
        command.Action = new CommandAction(RunAsync);
        return command;
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var file = input.Value(_file);
        if (file is not null && Path.Exists(file))
            errors.Add([$"{file}: is there already, and no file is overwritten."]);
        var given = InitialSpec.Questions.Where(question => input.Value(question.Option) is not null)
            .ToDictionary(question => question, question => input.Value(question.Option)!);
        errors.Add(InitialSpec.ErrorsOf(given));
        var open = InitialSpec.Questions.Where(question => !given.ContainsKey(question)).ToList();
        if (Console.IsInputRedirected)
            errors.Add(open.Select(question => $"{question.Option.Name}: is missing, and there is no terminal to ask at: {question.Text}"));
        errors.ThrowIfAny();

        foreach (var question in open)
            given[question] = InitialSpec.Ask(question, given, Console.In, Console.Out);
        await WriteAsync(file!, InitialSpec.TextOf(given), cancellationToken);
        Console.WriteLine($"written: {file}");
        Console.WriteLine($"  what it will take:  devbox validate {file}");
        Console.WriteLine($"  run it:             devbox run {file}");
        return ExitCode.Complete;
    }

    /// <exception cref="InputException">The file is there, or cannot be written.</exception>
    private static async Task WriteAsync(string file, string text, CancellationToken cancellationToken)
    {
        try
        {
            await using var stream = new FileStream(file, FileMode.CreateNew, FileAccess.Write);
            await stream.WriteAsync(Encoding.UTF8.GetBytes(text), cancellationToken);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new InputException($"{file}: cannot be written: {OneLine.From(e.Message)}");
        }
    }
}
