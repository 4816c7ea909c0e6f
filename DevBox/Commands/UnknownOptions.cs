namespace ScaleOut.DevBox.Commands;

/// <summary>
/// Finds options that a command does not have. The parser would take such an option and its value for arguments, and would then miss or
/// misread the real ones.
/// </summary>
internal sealed class UnknownOptions
{
    private readonly Dictionary<string, Option> _known = [];

    /// <param name="arguments">The arguments after the command's name.</param>
    public UnknownOptions(Command command, IEnumerable<Option> everywhere, IReadOnlyList<string> arguments)
    {
        foreach (var option in command.Options.Concat(everywhere))
        {
            foreach (var name in option.Aliases.Prepend(option.Name))
                _known[name] = option;
        }

        Walk(arguments);
    }

    /// <summary>The arguments without the unknown options and their values.</summary>
    public List<string> Kept { get; } = [];

    public List<string> Errors { get; } = [];

    /// <summary>
    /// Whether an argument was treated as the value of an unknown option. It may have been a positional argument after an option without a
    /// value.
    /// </summary>
    public bool TookValue { get; private set; }

    private void Walk(IReadOnlyList<string> arguments)
    {
        for (var i = 0; i < arguments.Count; i++)
        {
            var text = arguments[i];
            if (text == "--")
            {
                Kept.AddRange(arguments.Skip(i));
                return;
            }

            var name = text.Split('=', ':')[0];
            if (_known.TryGetValue(name, out var option))
            {
                Kept.Add(text);
                // The next argument is the option's value, even if it looks like an option.
                if (name == text && option.Arity.MinimumNumberOfValues > 0 && i + 1 < arguments.Count)
                    Kept.Add(arguments[++i]);
            }
            else if (text.Length > 1 && text[0] == '-')
            {
                AddError(name);
                if (name == text && i + 1 < arguments.Count && IsValue(arguments[i + 1]))
                {
                    i++;
                    TookValue = true;
                }
            }
            else
            {
                Kept.Add(text);
            }
        }
    }

    /// <summary>
    /// Whether an argument is the value of the unknown option before it. A file that exists is taken for the spec instead.
    /// </summary>
    private static bool IsValue(string text) => !text.StartsWith('-') && !Path.Exists(text);

    private void AddError(string name)
    {
        var near = NearestName.From(
            name,
            _known.Where(known => !known.Value.Hidden && known.Key.StartsWith("--", StringComparison.Ordinal)).Select(known => known.Key));
        Errors.Add(near is null ? $"There is no option '{name}'." : $"There is no option '{name}'; did you mean '{near}'?");
    }
}
