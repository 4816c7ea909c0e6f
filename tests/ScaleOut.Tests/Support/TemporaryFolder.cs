namespace ScaleOut.Tests.Support;

/// <summary>A folder of its own for a test, gone with it.</summary>
public sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("scaleout-tests-").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
