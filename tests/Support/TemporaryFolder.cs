namespace ScaleOut.Tests.Support;

/// <summary>A folder for one test, deleted when it is disposed.</summary>
public sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("scaleout-tests-").FullName;

    /// <summary>A run store in the folder, in which some ids are taken.</summary>
    public FolderRunStore StoreWith(params IEnumerable<string> ids)
    {
        foreach (var id in ids)
            Directory.CreateDirectory(System.IO.Path.Combine(Path, id));
        return new FolderRunStore(Path);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
