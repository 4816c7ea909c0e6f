namespace ScaleOut.Tests.DevBox.Accounts;

public class AccountFolderTests
{
    [Fact]
    public async Task WriteKeyAsync_NewFile_OnlyItsOwnerCanReadIt()
    {
        var cancellation = TestContext.Current.CancellationToken;
        using var folder = new TemporaryFolder();
        var files = new AccountFolder(folder.Path);

        await files.WriteKeyAsync("c2VjcmV0", cancellation);

        Assert.Equal("c2VjcmV0", await files.ReadKeyAsync(cancellation));
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path.Combine(folder.Path, "account.key")));

        files.DeleteKey();
        Assert.Null(await files.ReadKeyAsync(cancellation));
    }

    [Fact]
    public async Task ReadAsync_WhatWasWritten_ComesBack()
    {
        var cancellation = TestContext.Current.CancellationToken;
        using var folder = new TemporaryFolder();
        var files = new AccountFolder(folder.Path);
        var account = new AccountFile
        {
            Endpoint = new Uri("https://127.0.0.1:4000/"),
            Simulated = true,
            ProcessId = 12,
            Seed = 7,
            ControlEndpoint = new Uri("http://127.0.0.1:4001/x/"),
        };

        Assert.Null(await files.ReadAsync(cancellation));
        await files.WriteAsync(account, cancellation);

        Assert.Equal(account, await files.ReadAsync(cancellation));
    }

    /// <summary>It holds the control endpoint, with which the account can be ended.</summary>
    [Fact]
    public async Task WriteAsync_NewFile_OnlyItsOwnerCanReadIt()
    {
        using var folder = new TemporaryFolder();
        var account = new AccountFile
        {
            Endpoint = new Uri("https://127.0.0.1:4000/"),
            Simulated = true,
            ControlEndpoint = new Uri("http://127.0.0.1:4001/x/"),
        };

        await new AccountFolder(folder.Path).WriteAsync(account, TestContext.Current.CancellationToken);

        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path.Combine(folder.Path, "account.json")));
    }

    [Fact]
    public async Task ReadAsync_BrokenFile_SaysWhich()
    {
        using var folder = new TemporaryFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "account.json"), "{", TestContext.Current.CancellationToken);

        var error = await Assert.ThrowsAsync<InputException>(
            () => new AccountFolder(folder.Path).ReadAsync(TestContext.Current.CancellationToken));

        Assert.Contains("account.json", error.Message, StringComparison.Ordinal);
    }
}
