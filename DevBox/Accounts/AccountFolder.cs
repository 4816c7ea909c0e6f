using System.Text.Json;
using ScaleOut.Json;

namespace ScaleOut.DevBox.Accounts;

/// <summary>What a run's folder holds about its account: <c>account.json</c>, and the key of a simulated one in a file that only its owner can read.</summary>
internal sealed class AccountFolder(string runFolder)
{
    private string FilePath => Path.Combine(runFolder, "account.json");

    private string KeyPath => Path.Combine(runFolder, "account.key");

    public async Task WriteAsync(AccountFile account, CancellationToken cancellationToken) =>
        await File.WriteAllBytesAsync(FilePath, JsonSerializer.SerializeToUtf8Bytes(account, ScaleOutJson.Indented), cancellationToken);

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
            throw new InputException($"{FilePath}: not as this program wrote it: {OneLine.Of(e.Message)}");
        }
    }

    /// <summary>Keeps the key, readable by the file's owner alone.</summary>
    public async Task WriteKeyAsync(string key, CancellationToken cancellationToken)
    {
        var options = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        await using var writer = new StreamWriter(KeyPath, options);
        await writer.WriteAsync(key.AsMemory(), cancellationToken);
    }

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
