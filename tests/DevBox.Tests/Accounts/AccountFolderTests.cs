namespace ScaleOut.Tests.DevBox.Accounts;

public sealed class AccountFolderTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly AccountFolder _files;

    public AccountFolderTests() => _files = new AccountFolder(_folder.Path);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task WriteKeyAsync_NewFile_OnlyItsOwnerCanReadIt()
    {
        await _files.WriteKeyAsync("c2VjcmV0", Cancellation);
        Assert.Equal("c2VjcmV0", await _files.ReadKeyAsync(Cancellation));
        AssertOnlyItsOwnerCanRead("account.key");
        _files.DeleteKey();
        Assert.Null(await _files.ReadKeyAsync(Cancellation));
    }

    /// <summary>The file holds the control endpoint, through which anyone can end the account.</summary>
    [Fact]
    public async Task WriteAsync_NewFile_ReadsBackAndOnlyItsOwnerCanReadIt()
    {
        var account = new AccountFile
        {
            Endpoint = new Uri("https://127.0.0.1:4000/"), Simulated = true, ProcessId = 12, Seed = 7,
            ControlEndpoint = new Uri("http://127.0.0.1:4001/x/"),
        };

        Assert.Null(await _files.ReadAsync(Cancellation));
        await _files.WriteAsync(account, Cancellation);

        Assert.Equal(account, await _files.ReadAsync(Cancellation));
        AssertOnlyItsOwnerCanRead("account.json");
    }

    [Fact]
    public async Task ReadAsync_BrokenFile_NamesTheFile()
    {
        await File.WriteAllTextAsync(Path.Combine(_folder.Path, "account.json"), "{", Cancellation);
        var error = await Assert.ThrowsAsync<InputException>(() => _files.ReadAsync(Cancellation));
        Assert.Contains("account.json", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task ReadAsync_FolderIsGone_NamesTheFolder()
    {
        var gone = Path.Combine(_folder.Path, "gone");
        var files = new AccountFolder(gone);

        var error = await Assert.ThrowsAsync<InputException>(() => files.ReadAsync(Cancellation));
        var ofKey = await Assert.ThrowsAsync<InputException>(() => files.ReadKeyAsync(Cancellation));

        Assert.All([error, ofKey], one => Assert.Equal($"{gone}: the folder was deleted or moved", one.Message));
    }

    private void AssertOnlyItsOwnerCanRead(string file)
    {
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path.Combine(_folder.Path, file)));
    }
}
