namespace ScaleOut.DevBox.Commands;

/// <summary>The options that name a real account or an emulator, and the settings that come from the environment.</summary>
internal sealed class AccountConnectionOptions
{
    /// <summary>Environment variable with the account's key; it has no option, because other users can see command lines.</summary>
    public const string KeyVariable = "COSMOS_KEY";

    /// <summary>The account's key; null for an identity.</summary>
    public static string? KeyFromEnvironment => NotEmpty(Environment.GetEnvironmentVariable(KeyVariable));

    private readonly TextOption _endpoint = new(
        "--account", "endpoint",
        $"A real account or an emulator instead of the simulated one; its key from {KeyVariable}, else the identity that is signed in.");

    private readonly TextOption _resourceId = new(
        "--account-resource-id", "id",
        "The account's Azure resource id: container calls then go to Azure Resource Manager, "
        + $"as an identity needs (or {AccountConnection.ResourceIdSetting}).");

    private readonly TextOption _thumbprint = new(
        "--account-thumbprint", "sha256", "SHA-256 of the self-signed certificate to accept of an emulator.");

    public IEnumerable<Option> All => [_endpoint, _resourceId, _thumbprint];

    /// <summary>Whether another account than the simulated one is asked for, even if its endpoint is invalid.</summary>
    public bool IsGiven(CommandInput input) => input.Value(_endpoint) is not null;

    /// <summary>The account's address; null for the simulated account.</summary>
    /// <exception cref="InputException">The options are invalid; the exception has all errors.</exception>
    public AccountConnection? Read(CommandInput input)
    {
        var errors = new List<string>();
        var thumbprint = input.Value(_thumbprint);
        if (input.Value(_endpoint) is not { } text)
        {
            if (thumbprint is not null)
                errors.Add($"{_thumbprint.Name}: only beside {_endpoint.Name}.");
            if (input.Value(_resourceId) is not null)
                errors.Add($"{_resourceId.Name}: only beside {_endpoint.Name}.");
            return errors.Count == 0 ? null : throw new InputException([.. errors]);
        }

        if (AzureEndpoints.Parse(text) is not { } endpoint)
        {
            throw new InputException(
                $"{_endpoint.Name}: not an endpoint such as https://my-account.documents.azure.com:443/. It has no key and no parameters: "
                + $"the key is given in {KeyVariable}.");
        }

        var account = new AccountConnection
        {
            Endpoint = endpoint,
            Key = KeyFromEnvironment,
            ResourceId = input.Value(_resourceId) ?? NotEmpty(Environment.GetEnvironmentVariable(AccountConnection.ResourceIdSetting)),
            CertificateThumbprint = thumbprint,
        };
        Check(account);
        return account;
    }

    /// <summary>Checks the key and the thumbprint of an account before it is used.</summary>
    public static void Check(AccountConnection account)
    {
        var errors = new List<string>();
        if (account.Key is { } key && !Convert.TryFromBase64String(key, new byte[key.Length], out _))
            errors.Add($"{KeyVariable}: the account's key is not base64 text.");
        try
        {
            CertificatePin.From(account);
        }
        catch (AccountException e)
        {
            errors.Add($"--account-thumbprint: {e.Message}");
        }

        if (errors.Count > 0)
            throw new InputException([.. errors]);
    }

    /// <summary>Checks before the first of many runs that the account can be reached in the mode that they ask for.</summary>
    /// <exception cref="InputException">The account cannot be reached.</exception>
    public static async Task EnsureReachableAsync(
        AccountConnection? account, IEnumerable<RunSpec> runs, CancellationToken cancellationToken)
    {
        if (account is null)
            return;
        var errors = runs.SelectMany(run => EndpointCheck.ErrorsOf(run, account)).Distinct().ToList();
        if (errors.Count > 0)
            throw new InputException([.. errors]);
        try
        {
            await AccountProbe.EnsureReachableAsync(account, cancellationToken);
        }
        catch (AccountException e)
        {
            throw new InputException($"--account: {e.Message}");
        }
    }

    private static string? NotEmpty(string? text) => string.IsNullOrWhiteSpace(text) ? null : text.Trim();
}

/// <summary>The account of Table storage that runs of kind <c>tableBatch</c> go to.</summary>
internal sealed class TableAccountOption() : TextOption(
    OptionName, "endpoint|connection string",
    $"The storage account whose tables runs of kind tableBatch write to (or {TableAccount.Setting}, which no list of processes "
    + "shows); an endpoint alone means the identity that is signed in.")
{
    public const string OptionName = "--table-account";

    /// <exception cref="InputException">
    /// The value is not a table account. The message does not repeat the value, which may contain a key.
    /// </exception>
    public TableAccount? Read(CommandInput input)
    {
        var (text, name) = input.Value(this) is { } given
            ? (given, OptionName)
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
