namespace ScaleOut.DevBox.Commands;

/// <summary>Lets the initializer of a command name all options of a group.</summary>
internal static class CommandInitializer
{
    public static void Add(this Command command, IEnumerable<Option> options)
    {
        foreach (var option in options)
            command.Options.Add(option);
    }
}
