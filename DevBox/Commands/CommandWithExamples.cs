namespace ScaleOut.DevBox.Commands;

/// <summary>A command whose help ends with examples.</summary>
internal sealed class CommandWithExamples : Command
{
    /// <param name="run">As in <see cref="CommandAction"/>.</param>
    /// <param name="examples">Arguments of the program, and what they do.</param>
    public CommandWithExamples(
        string name, string description, Func<CommandInput, CancellationToken, Task<int>> run,
        params (string Line, string About)[] examples)
        : base(name, description) => (Action, Examples) = (new CommandAction(run), examples);

    public IReadOnlyList<(string Line, string About)> Examples { get; }
}
