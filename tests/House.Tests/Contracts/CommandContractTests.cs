using System.CommandLine;
using System.CommandLine.Help;
using ScaleOut.Tests.Infra;

namespace ScaleOut.Tests.Contracts;

/// <summary>Commands, options and exit codes of the console program, in <c>docs/contracts/commands.txt</c>.</summary>
public sealed class CommandContractTests
{
    private static readonly List<(int Code, string Name)> ExitCodes =
    [
        .. typeof(ExitCode).GetFields().Where(field => field.IsLiteral)
            .Select(field => ((int)field.GetRawConstantValue()!, field.Name)).Order(),
    ];

    [Fact]
    public void CommandLine_CommandsAndOptions_AreThoseOfTheContract() => Contract.AssertIs(
        "commands.txt",
        [
            "# exit codes", .. ExitCodes.Select(exit => $"{exit.Code}: {exit.Name}"),
            .. CommandLine.Create().Subcommands.Where(command => !command.Hidden).SelectMany(Section),
        ],
        nameof(CommandContractTests));

    /// <summary>A code that a table lacks would be looked for in vain, and one that no command returns would be waited for.</summary>
    [Theory]
    [InlineData("docs/running.md", "## Exit codes")]
    [InlineData("docs/ci.md", "# In a pipeline")]
    public void TableOfExitCodes_OfADocument_HasEachCodeOnce(string document, string heading)
    {
        var codes = MarkdownTable.Under(InfraFiles.ReadTop(document), heading)
            .Select(row => int.TryParse(row[0], NumberStyles.None, CultureInfo.InvariantCulture, out var code) ? code : (int?)null)
            .OfType<int>();

        Assert.Equal(ExitCodes.Select(exit => exit.Code), codes);
    }

    private static IEnumerable<string> Section(Command command) =>
    [
        "", $"# {command.Name}",
        .. command.Arguments.Select(argument => $"<{argument.Name}>{(argument.Arity.MinimumNumberOfValues == 0 ? ", or none" : "")}"),
        .. command.Options.Where(option => !option.Hidden && option is not HelpOption)
            .Select(TextOf).Order(StringComparer.Ordinal),
    ];

    private static string TextOf(Option option) =>
        string.Join(", ", option.Aliases.Order(StringComparer.Ordinal).Prepend(option.Name))
        + (option.ValueType == typeof(bool) ? "" : " <value>")
        + (option.Arity.MaximumNumberOfValues > 1 ? ", also several times" : "")
        + (option.Required ? ", required" : "");
}
