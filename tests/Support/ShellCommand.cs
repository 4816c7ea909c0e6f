namespace ScaleOut.Tests.Support;

/// <summary>A command as a shell reads it.</summary>
/// <param name="Variables">Variables that are set for this command alone.</param>
/// <param name="Words">The program and its arguments, without quotes.</param>
internal sealed partial record ShellCommand(IReadOnlyDictionary<string, string> Variables, IReadOnlyList<string> Words)
{
    private static readonly string[] Separators = ["&&", "||", ";"];

    public string Program => Words[0];

    /// <summary>The commands of a text, line by line, without comments.</summary>
    public static IEnumerable<ShellCommand> Read(string text)
    {
        foreach (var line in Continuation().Replace(text, " ").Split('\n'))
        {
            var words = new List<string>();
            foreach (var word in WordsOf(line).Append(Separators[0]))
            {
                if (!Separators.Contains(word))
                    words.Add(word);
                else if (words.Count > 0)
                {
                    yield return From(words);
                    words = [];
                }
            }
        }
    }

    /// <summary>A text that <see cref="Read"/> reads as the same command.</summary>
    public override string ToString() =>
        string.Join(' ', [.. Variables.Select(variable => $"{variable.Key}={Quote(variable.Value)}"), .. Words.Select(Quote)]);

    private static string Quote(string word) =>
        word.Length > 0 && word.IndexOfAny([' ', '"', '|', ';', '<', '>', '(', '#']) < 0 ? word : $"'{word}'";

    private static ShellCommand From(List<string> words)
    {
        // If a command gives the value of a variable, it is taken for the command.
        if (words is [var only] && Assignment().Match(only) is { Success: true } made)
            return Read(made.Groups["value"].Value.TrimStart('$', '(').TrimEnd(')')).First();
        var variables = words.Select(word => Assignment().Match(word)).TakeWhile(match => match.Success)
            .ToDictionary(match => match.Groups["name"].Value, match => match.Groups["value"].Value);
        return new ShellCommand(variables, [.. words.Skip(variables.Count)]);
    }

    /// <summary>Splits at spaces outside quotes, $( ) and placeholders such as &lt;run id&gt;.</summary>
    private static IEnumerable<string> WordsOf(string line)
    {
        var word = new StringBuilder();
        var (quote, depth, quoted) = ('\0', 0, false);
        foreach (var c in line + " ")
        {
            if (quote == '\0' && depth == 0 && c == '#' && word.Length == 0)
                yield break;
            if (quote == '\0' && depth == 0 && c == ' ')
            {
                if (word.Length > 0 || quoted)
                    yield return word.ToString();
                word.Clear();
                quoted = false;
                continue;
            }

            if (depth == 0 && (c == quote || (quote == '\0' && c is '"' or '\'')))
            {
                quote = c == quote ? '\0' : c;
                quoted = true;
                continue;
            }

            depth += quote != '\0' ? 0 : c is '(' or '<' ? 1 : c is ')' or '>' ? -1 : 0;
            word.Append(c);
        }
    }

    [GeneratedRegex(@"\\\n\s*")]
    private static partial Regex Continuation();

    [GeneratedRegex(@"^(?<name>[A-Z_]+)=(?<value>.*)$")]
    private static partial Regex Assignment();
}
