using System.CommandLine;

namespace ScaleOut.DevBox.Commands;

/// <summary>Where the runs' folders are.</summary>
internal sealed class RunsFolderOption : Option<string>
{
    public RunsFolderOption()
        : base("--out")
    {
        Description = "Folder that holds the runs' folders.";
        HelpName = "folder";
        DefaultValueFactory = _ => "runs";
    }

    /// <exception cref="InputException">It has no name.</exception>
    public string Read(CommandInput input) =>
        input.Value(this) is { } folder && !string.IsNullOrWhiteSpace(folder) ? folder : throw new InputException($"{Name}: the folder has no name.");
}
