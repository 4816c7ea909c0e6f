namespace ScaleOut.Tests.Shared.Storage;

public sealed class RunFilesTests : RunFilesContract
{
    internal override IRunStore Store { get; } = new MemoryRunStore();
}
