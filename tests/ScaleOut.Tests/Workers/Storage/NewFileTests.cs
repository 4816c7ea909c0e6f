using ScaleOut.Tests.Support;
using ScaleOut.Workers.Storage;

namespace ScaleOut.Tests.Workers.Storage;

public sealed class NewFileTests : IDisposable
{
    private const int Rounds = 300;
    private const int Callers = 4;

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task TryPublish_ManyAtTheSameInstant_OneWinsAndItsContentStays()
    {
        using var instant = new Barrier(Callers);
        var won = await Task.WhenAll(Enumerable.Range(0, Callers).Select(caller => Task.Factory.StartNew(
            () => Enumerable.Range(0, Rounds).Select(round =>
            {
                var temporary = PathOf($"{round}-{caller}");
                File.WriteAllText(temporary, $"{caller}");
                instant.SignalAndWait(TestContext.Current.CancellationToken);
                return NewFile.TryPublish(temporary, PathOf($"{round}"));
            }).ToList(),
            TestContext.Current.CancellationToken,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default)));

        for (var round = 0; round < Rounds; round++)
        {
            var winner = Assert.Single(Enumerable.Range(0, Callers), caller => won[caller][round]);
            Assert.Equal($"{winner}", await File.ReadAllTextAsync(PathOf($"{round}"), TestContext.Current.CancellationToken));
        }
    }

    [Fact]
    public async Task TryPublish_FileThatIsThere_LeavesItAlone()
    {
        await File.WriteAllTextAsync(PathOf("new"), "new", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("there"), "there", TestContext.Current.CancellationToken);

        Assert.False(NewFile.TryPublish(PathOf("new"), PathOf("there")));
        Assert.Equal("there", await File.ReadAllTextAsync(PathOf("there"), TestContext.Current.CancellationToken));
    }

    [Fact]
    public void TryPublish_NoSuchFile_Throws() => Assert.ThrowsAny<IOException>(() => NewFile.TryPublish(PathOf("none"), PathOf("path")));

    private string PathOf(string name) => Path.Combine(_folder.Path, name);
}
