namespace ScaleOut.DevBox.Commands;

/// <summary>The account of Table storage that runs of kind <c>tableBatch</c> go to.</summary>
internal sealed class TableAccountOption
{
    public const string Name = "--table-account";

    private readonly Option<string?> _account = new(Name)
    {
        Description =
            $"The storage account whose tables runs of kind tableBatch write to (or {TableAccount.Setting}, which no list of processes "
            + "shows); an endpoint alone means the identity that is signed in.",
        HelpName = "endpoint|connection string",
    };

    public void AddTo(Command command) => command.Options.Add(_account);

    /// <summary>The account; null when none is given.</summary>
    /// <exception cref="InputException">It is no table account. The message leaves it out; it may contain a key.</exception>
    public TableAccount? Read(CommandInput input)
    {
        var (text, name) = input.Value(_account) is { } given
            ? (given, _account.Name)
            : (Environment.GetEnvironmentVariable(TableAccount.Setting), TableAccount.Setting);
        if (text is null || (text.Length == 0 && name == TableAccount.Setting))
            return null;
        try
        {
            return TableAccount.Parse(text);
        }
        catch (FormatException e)
        {
            throw new InputException($"{name}: {e.Message}");
        }
    }
}
