using ScaleOut.DevBox.Calibration;

namespace ScaleOut.Tests.DevBox.Commands;

public sealed class ProfileOutputTests
{
    private readonly AccountProfile _profile = SampleProfiles.Create();

    [Fact]
    public async Task WriteAsync_FileCannotBeWritten_PrintsTheProfile()
    {
        using var folder = new TemporaryFolder();
        // The folder is missing, so the file cannot be created.
        var file = Path.Combine(folder.Path, "missing", "profile.json");
        using var console = new StringWriter();
        var error = await Assert.ThrowsAsync<InputException>(() => WriteAsync(file, console));
        AssertText.Has(error.Message, "missing", "The profile is printed above instead");
        Assert.Equal(_profile.Name, ProfileFile.Read(Encoding.UTF8.GetBytes(console.ToString())).Name);
    }

    [Fact]
    public async Task WriteAsync_PageCannotBeWritten_KeepsTheProfile()
    {
        using var folder = new TemporaryFolder();
        var file = Path.Combine(folder.Path, "profile.json");
        Directory.CreateDirectory(Path.ChangeExtension(file, ".html"));
        using var console = new StringWriter();
        var error = await Assert.ThrowsAsync<InputException>(() => WriteAsync(file, console));
        Assert.Contains($"the profile is in '{file}', but its page", error.Message, StringComparison.Ordinal);
        Assert.Equal(_profile.Name, ProfileFile.Read(await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken)).Name);
    }

    private Task WriteAsync(string file, TextWriter console) =>
        ExperimentProfile.WriteAsync(_profile, file, Path.ChangeExtension(file, ".html"), console, printed: console);
}
