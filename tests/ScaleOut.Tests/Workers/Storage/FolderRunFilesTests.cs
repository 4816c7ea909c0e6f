namespace ScaleOut.Tests.Workers.Storage;

public sealed class FolderRunFilesTests : RunFilesContract, IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public FolderRunFilesTests() => Store = new FolderRunStore(_folder.Path);

    internal override IRunStore Store { get; }

    public void Dispose() => _folder.Dispose();
}
