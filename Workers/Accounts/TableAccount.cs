namespace ScaleOut.Workers.Accounts;

/// <summary>
/// How to reach the Table service of a storage account. It is sent to worker processes, and never printed, logged or kept in the run store.
/// </summary>
public sealed record TableAccount
{
    /// <summary>Setting, or environment variable on the dev box, that contains the account.</summary>
    public const string Setting = "TABLE_ACCOUNT";

    /// <summary>The error of a run that needs a table account and has none.</summary>
    public const string Missing =
        "Runs of kind tableBatch write to Table storage, and there is no table account: give its endpoint or connection string in "
        + $"{Setting}, or on a command line as --table-account.";

    /// <summary>Why a run without a table account cannot be measured; null if it can.</summary>
    public static string? WhyNotTestable(RunSpec spec, TableAccount? account) => spec.Workload.Kind.UsesTables() && account is null
        ? "it writes to Table storage, and there is no table account; give its endpoint or connection string in "
            + $"{Setting}, or on a command line as --table-account"
        : null;

    private const string EmulatorName = "devstoreaccount1";
    private const string EmulatorEndpoint = $"http://127.0.0.1:10002/{EmulatorName}";
    private const string PublicSuffix = "core.windows.net";

    /// <summary>The documented key of the storage emulators. It protects nothing.</summary>
    private const string EmulatorKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    /// <summary>Such as <c>https://account.table.core.windows.net</c>, without a slash at its end.</summary>
    public required Uri Endpoint { get; init; }

    /// <summary>Name of the account, beside <see cref="Key"/>.</summary>
    public string? Name { get; init; }

    /// <summary>Account key, base64. Null means <c>DefaultAzureCredential</c>.</summary>
    public string? Key { get; init; }

    public AccountConnection ToConnection() => new() { Endpoint = Endpoint, Tables = this };

    /// <summary>Reads an endpoint or a connection string.</summary>
    /// <exception cref="FormatException">The text is neither; the message does not repeat the text, which may hold a key.</exception>
    public static TableAccount Parse(string text)
    {
        if (EndpointIn(text) is { } endpoint)
            return endpoint.Scheme == Uri.UriSchemeHttps
                ? new TableAccount { Endpoint = endpoint }
                : throw new FormatException(
                    "The endpoint of the table account is reached without a key, and an identity's token is only sent over https.");
        var parts = PartsOf(text);
        if (parts.GetValueOrDefault("UseDevelopmentStorage")?.Equals("true", StringComparison.OrdinalIgnoreCase) == true)
            return new TableAccount { Endpoint = new Uri(EmulatorEndpoint), Name = EmulatorName, Key = EmulatorKey };
        if (parts.GetValueOrDefault("AccountName") is not { } name || parts.GetValueOrDefault("AccountKey") is not { } key)
            throw new FormatException("The connection string of the table account must have AccountName and AccountKey.");
        if (!Convert.TryFromBase64String(key, new byte[key.Length], out _))
            throw new FormatException("The AccountKey of the table account is not base64; copy it whole.");
        var address = parts.GetValueOrDefault("TableEndpoint")
            ?? $"{parts.GetValueOrDefault("DefaultEndpointsProtocol", "https")}://{name}.table."
            + parts.GetValueOrDefault("EndpointSuffix", PublicSuffix);
        return EndpointIn(address) is { } uri
            ? new TableAccount { Endpoint = uri, Name = name, Key = key }
            : throw new FormatException("The TableEndpoint of the table account is no http or https address.");
    }

    /// <summary>The endpoint alone: a record's own text would show the key.</summary>
    public override string ToString() => Endpoint.ToString();

    private static Uri? EndpointIn(string text) => AzureEndpoints.Parse(text.Trim().TrimEnd('/'));

    private static Dictionary<string, string> PartsOf(string text)
    {
        try
        {
            var builder = new DbConnectionStringBuilder { ConnectionString = text };
            return builder.Keys.Cast<string>().ToDictionary(key => key, key => (string)builder[key], StringComparer.OrdinalIgnoreCase);
        }
        catch (ArgumentException)
        {
            // The library's message may repeat a part of the text, and with it the key.
            throw new FormatException("The table account is neither an endpoint nor the connection string of a storage account.");
        }
    }
}
