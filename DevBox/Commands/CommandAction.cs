using System.CommandLine;
using System.CommandLine.Invocation;

namespace ScaleOut.DevBox.Commands;

/// <summary>What a command does. It is also called when the command line has faults, to say what else is wrong.</summary>
/// <param name="run">Reads its values, throws all faults of <see cref="CommandInput.Faults"/> and its own together, and only then begins.</param>
internal sealed class CommandAction(Func<CommandInput, CancellationToken, Task<int>> run) : AsynchronousCommandLineAction
{
    public override Task<int> InvokeAsync(ParseResult parseResult, CancellationToken cancellationToken = default) => run(new CommandInput(parseResult, []), cancellationToken);

    /// <summary>Says all that is wrong with a command line that has faults.</summary>
    /// <exception cref="InputException">Always.</exception>
    public async Task RefuseAsync(ParseResult parsed, IReadOnlyList<string> lineFaults)
    {
        await run(new CommandInput(parsed, lineFaults), CancellationToken.None);
        throw new InputException(lineFaults);
    }
}
