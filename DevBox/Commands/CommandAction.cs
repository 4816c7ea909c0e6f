using System.CommandLine.Invocation;

namespace ScaleOut.DevBox.Commands;

/// <summary>Runs a command. It is also called if the command line has errors, to find the other errors.</summary>
/// <param name="run">Reads its values, throws all errors of <see cref="CommandInput.Errors"/> and its own together, and only then
/// begins.</param>
internal sealed class CommandAction(Func<CommandInput, CancellationToken, Task<int>> run) : AsynchronousCommandLineAction
{
    public override Task<int> InvokeAsync(ParseResult parseResult, CancellationToken cancellationToken = default) =>
        run(new CommandInput(parseResult, []), cancellationToken);

    /// <summary>Reports all errors of a command line that the parser found errors in.</summary>
    /// <exception cref="InputException">Always.</exception>
    public async Task RejectAsync(ParseResult parsed, IReadOnlyList<InputError> lineErrors)
    {
        await run(new CommandInput(parsed, lineErrors), CancellationToken.None);
        throw new InputException(lineErrors);
    }
}
