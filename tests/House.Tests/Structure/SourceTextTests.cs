namespace ScaleOut.Tests.Structure;

/// <summary>The project's own text keeps the rule of <see cref="SourceText"/>.</summary>
public sealed class SourceTextTests
{
    [Fact]
    public void Lines_OfEachFile_FitAScreen() =>
        StructureTests.AssertNone(SourceText.Files().SelectMany(file => SourceText.LongIn(file.Path, file.Text)));

    [Fact]
    public void LongIn_LongLineAndLongFile_AreNoticed()
    {
        Assert.Single(SourceText.LongIn("A.cs", new string('x', 141)));
        Assert.Empty(SourceText.LongIn("A.cs", new string('x', 140)));
        Assert.Single(SourceText.LongIn("A.cs", string.Concat(Enumerable.Repeat("x\n", 401))));
        Assert.Empty(SourceText.LongIn("A.cs", string.Concat(Enumerable.Repeat("x\n", 400))));
    }
}
