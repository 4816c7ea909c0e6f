namespace ScaleOut.DevBox.Commands;

/// <summary>A command line for people and reports.</summary>
internal static class CommandLineText
{
    /// <summary>The program's name, as users type it.</summary>
    public const string Program = "devbox";

    private const string Hidden = "***";

    /// <summary>Ends of the names of secrets in a connection string or a signed address.</summary>
    private static readonly string[] Secrets = ["key", "signature", "sig", "password", "token"];

    /// <summary>The command line with its values quoted where a shell needs that, and with <c>***</c> in place of secrets.</summary>
    /// <param name="arguments">The command and its arguments.</param>
    public static string From(IReadOnlyList<string> arguments) => string.Join(' ', arguments
        .Select((argument, i) => IsSecret(argument, i > 0 ? arguments[i - 1] : "") ? Hidden : ShellWord.Quoted(argument)).Prepend(Program));

    /// <summary>
    /// Whether an argument is hidden. The table account may be a connection string, so it is shown only if it is an address.
    /// </summary>
    private static bool IsSecret(string argument, string before) =>
        argument.Split(';', '?', '&').Any(HasSecret)
        || (before == TableAccountOption.OptionName && !Uri.IsWellFormedUriString(argument, UriKind.Absolute));

    /// <summary>Whether a part of a connection string or address gives a secret, such as <c>AccountKey=c2VjcmV0</c>.</summary>
    private static bool HasSecret(string part) =>
        part.Split('=', 2) is [var name, not ""] && name.Trim() is var one && !one.StartsWith('-') && one.All(IsOfName)
        && Secrets.Any(secret => one.EndsWith(secret, StringComparison.OrdinalIgnoreCase));

    /// <summary>Whether a character may stand in the name of a secret, such as <c>x-functions-key</c>. Expressions have others.</summary>
    private static bool IsOfName(char one) => char.IsAsciiLetterOrDigit(one) || one is '-' or '_' or ' ';
}
