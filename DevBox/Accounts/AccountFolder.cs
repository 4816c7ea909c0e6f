namespace ScaleOut.DevBox.Accounts;

/// <summary>
/// What a run's folder holds about its account: <c>account.json</c>, and the key of a simulated one. Only their owner can read the two
/// files: whoever knows the control endpoint can end the account.
/// </summary>
internal sealed class AccountFolder(string runFolder)
{
    private string FilePath => Path.Combine(runFolder, "account.json");

    private string KeyPath => Path.Combine(runFolder, "account.key");

    public Task WriteAsync(AccountFile account, CancellationToken cancellationToken) =>
        DurableFile.WriteAsync(
            FilePath, JsonSerializer.SerializeToUtf8Bytes(account, ScaleOutJson.Indented), cancellationToken, DurableFile.OwnerOnly);

    /// <summary>Null when the run has not got as far as to have an account.</summary>
    public async Task<AccountFile?> ReadAsync(CancellationToken cancellationToken)
    {
        try
        {
            return JsonSerializer.Deserialize<AccountFile>(await File.ReadAllBytesAsync(FilePath, cancellationToken), ScaleOutJson.Compact);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
        catch (JsonException e)
        {
            throw new InputException($"{FilePath}: not as this program wrote it: {OneLine.From(e.Message)}");
        }
    }

    public Task WriteKeyAsync(string key, CancellationToken cancellationToken) =>
        DurableFile.WriteAsync(KeyPath, Encoding.UTF8.GetBytes(key), cancellationToken, DurableFile.OwnerOnly);

    public async Task<string?> ReadKeyAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await File.ReadAllTextAsync(KeyPath, cancellationToken);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    public void DeleteKey() => File.Delete(KeyPath);
}
