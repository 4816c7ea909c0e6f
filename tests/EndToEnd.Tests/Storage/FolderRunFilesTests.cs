namespace ScaleOut.Tests.EndToEnd.Storage;

public sealed class FolderRunFilesTests : RunFilesContract, IDisposable
{
    private readonly TemporaryFolder _folder = new();

    internal override IRunStore Store => _folder.StoreWith("test");

    public void Dispose() => _folder.Dispose();
}
