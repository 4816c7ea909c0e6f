namespace ScaleOut.DevBox.Commands;

internal class TextOption : Option<string?>
{
    /// <param name="valueName">Stands for the value in the help.</param>
    /// <param name="about">One line for the help.</param>
    public TextOption(string name, string valueName, string about)
        : base(name)
    {
        HelpName = valueName;
        Description = about;
    }
}
