namespace ScaleOut.Tests.Support;

/// <summary>A folder for one test, deleted when it is disposed.</summary>
public sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("scaleout-tests-").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
