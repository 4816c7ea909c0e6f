namespace ScaleOut.Tests.Support.Azurite;

/// <summary>One Azurite for all tests, started by the first test that asks. Tests that cannot have it are skipped and say why.</summary>
public sealed class AzuriteFixture : IDisposable
{
    private const int Accounts = 64;

    private readonly (string Name, string Key)[] _accounts =
        [.. Enumerable.Range(0, Accounts).Select(i => ($"tests{i}", Convert.ToBase64String(RandomNumberGenerator.GetBytes(64))))];

    private readonly Lazy<Task<AzuriteProcess>> _process;
    private int _taken;

    public AzuriteFixture() => _process = new(() => Task.Run(async () =>
        await AzuriteProcess.StartAsync(await AzuriteInstall.FolderAsync(CancellationToken.None), _accounts, CancellationToken.None)));

    /// <summary>An empty storage account that no other test uses; skips the test when there is no Azurite.</summary>
    public async Task<StorageConnection> NewAccountAsync()
    {
        try
        {
            var azurite = await _process.Value.WaitAsync(TestContext.Current.CancellationToken);
            var (name, key) = _accounts[Interlocked.Increment(ref _taken) - 1];
            return new StorageConnection
            {
                ConnectionString = $"DefaultEndpointsProtocol=http;AccountName={name};AccountKey={key};"
                    + $"BlobEndpoint={azurite.Blobs}{name};QueueEndpoint={azurite.Queues}{name};TableEndpoint={azurite.Tables}{name};",
            };
        }
        catch (AzuriteUnavailableException e)
        {
            Assert.Skip(e.Message);
            throw;
        }
    }

    public void Dispose()
    {
        if (_process.IsValueCreated && _process.Value.IsCompletedSuccessfully)
            _process.Value.Result.Dispose();
    }
}
