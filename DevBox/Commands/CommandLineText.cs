namespace ScaleOut.DevBox.Commands;

/// <summary>A command line for people and reports.</summary>
internal static class CommandLineText
{
    private const string Program = "devbox";
    private const string Hidden = "***";

    /// <summary>What a connection string or a signed address has, whoever was meant to get it.</summary>
    private static readonly string[] Secrets = ["key=", "signature=", "sig=", "password=", "token="];

    /// <summary>The command line with its values quoted where a shell needs that, and with <c>***</c> in place of secrets.</summary>
    /// <param name="arguments">The command and its arguments.</param>
    public static string From(IReadOnlyList<string> arguments) => string.Join(' ', arguments
        .Select((argument, i) => IsSecret(argument, i > 0 ? arguments[i - 1] : "") ? Hidden : Quoted(argument)).Prepend(Program));

    /// <summary>The table account may be a connection string, of which only an address is shown.</summary>
    private static bool IsSecret(string argument, string before) =>
        Secrets.Any(secret => argument.Contains(secret, StringComparison.OrdinalIgnoreCase))
        || (before == TableAccountOption.Name && !Uri.IsWellFormedUriString(argument, UriKind.Absolute));

    private static string Quoted(string argument) =>
        argument.Length > 0 && argument.All(c => char.IsLetterOrDigit(c) || "-_./:,@%+".Contains(c, StringComparison.Ordinal))
            ? argument
            : $"\"{argument.Replace("\"", "\\\"", StringComparison.Ordinal)}\"";
}
