namespace ScaleOut.Tests.Structure;

/// <summary>The project's own text keeps the rules of <see cref="SourceText"/>.</summary>
public sealed class SourceTextTests
{
    [Fact]
    public void Words_AreThoseOfTheField() =>
        StructureTests.AssertNone(SourceText.Files().SelectMany(file => SourceText.DialectIn(file.Path, file.Text)));

    [Fact]
    public void LinesAndFiles_FitAScreen() =>
        StructureTests.AssertNone(SourceText.Files(".cs").SelectMany(file => SourceText.LongIn(file.Path, file.Text)));

    [Theory]
    [InlineData("Api/A.cs", "throw new SpecFault(path);")]
    [InlineData("Api/A.cs", "// every fault at once")]
    [InlineData("Workers/A.cs", "var x = AttemptAnswer.None;")]
    [InlineData("Workers/A.cs", "/// <summary>Documents that were put before the start.</summary>")]
    [InlineData("docs/a.md", "The account's books agree.")]
    [InlineData("Workers/A.cs", "private readonly Lane[] all;")]
    [InlineData("DevBox/A.cs", "return RefuseAsync(e);")]
    [InlineData("DevBox/A.cs", "new Patience(3)")]
    [InlineData("docs/a.md", "An experiment that is taken up again.")]
    [InlineData("Shared/A.cs", "public long Population { get; init; }")]
    [InlineData("DevBox/A.cs", "the greeting of a worker")]
    [InlineData("DevBox/A.cs", "Is told of what nobody foresaw.")]
    [InlineData("Shared/A.cs", "public static Slice Of(int worker) => new();")]
    public void Dialect_IsNoticed(string path, string line) => Assert.NotEmpty(SourceText.DialectIn(path, "// first\n" + line));

    [Theory]
    [InlineData("Simulator/Engine/A.cs", "/// <summary>Decides on faults.</summary>")]
    [InlineData("Shared/A.cs", "Faults = [new FaultRule()]")]
    [InlineData("Workers/A.cs", "SocketError.ConnectionRefused => Transient")]
    [InlineData("Workers/A.cs", "the output of the default plane, its throughput and input")]
    [InlineData("infra/a.bicep", "param defaultTtl int")]
    public void PlainWords_Pass(string path, string line) => Assert.Empty(SourceText.DialectIn(path, line));

    [Fact]
    public void LongLineAndLongFile_AreNoticed()
    {
        Assert.Single(SourceText.LongIn("A.cs", new string('x', 141)));
        Assert.Empty(SourceText.LongIn("A.cs", new string('x', 140)));
        Assert.Single(SourceText.LongIn("A.cs", string.Concat(Enumerable.Repeat("x\n", 401))));
        Assert.Empty(SourceText.LongIn("A.cs", string.Concat(Enumerable.Repeat("x\n", 400))));
    }
}
