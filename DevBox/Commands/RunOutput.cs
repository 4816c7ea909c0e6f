using System.CommandLine;

namespace ScaleOut.DevBox.Commands;

/// <summary>Where <c>run</c> and <c>resume</c> put what they have to say, and the condition under which a run fails.</summary>
internal sealed class RunOutput : ReportOutput
{
    private readonly Option<string?> _failIf = new("--fail-if")
    {
        Description = "Exit code 3 when this holds of a complete run, such as \"throttledShare>0.05\".",
        HelpName = "expression",
    };

    public override void AddTo(Command command)
    {
        base.AddTo(command);
        command.Options.Add(_failIf);
    }

    public FailIfCondition? FailIf(CommandInput input) => input.Value(_failIf) is { } text ? FailIfCondition.Parse(text, _failIf.Name) : null;
}
