namespace ScaleOut.Tests.Structure;

/// <summary>Code that catches an exception throws, uses the exception, such as in a log line, or says in a comment why not.</summary>
public sealed partial class CatchRuleTests
{
    [Fact]
    public void Source_DroppedExceptions_HaveAReason() =>
        StructureTests.AssertNone(SourceText.Production().SelectMany(file => DroppedIn(file.Path, file.Text)));

    [Theory]
    [InlineData("catch (IOException)", "return null;", 1)]
    [InlineData("catch (IOException e) when (File.Exists(e.Message))", "", 1)]
    [InlineData("catch", "return false;", 1)]
    [InlineData("catch (IOException)", "return null; // The file is gone.", 0)]
    [InlineData("catch (IOException)", "throw new InputException();", 0)]
    [InlineData("catch (IOException e)", "return e.Message;", 0)]
    [InlineData("catch (Exception e) when (Read(e) is { } response)", "return response;", 0)]
    public void Dropped_ExceptionWithoutAReason_IsNoticed(string clause, string block, int dropped) => Assert.Equal(
        dropped,
        DroppedIn("A.cs", $"    try\n    {{\n    }}\n    {clause}\n    {{\n        {block}\n    }}\n\n    // Another comment.\n").Count());

    private static IEnumerable<string> DroppedIn(string path, string text) =>
        from block in CatchBlock().Matches(text)
        let code = block.Groups["block"].Value
        where !code.Contains("//", StringComparison.Ordinal) && !Word("throw").IsMatch(code)
            && !Variable().Matches(block.Groups["clause"].Value).Any(match => Word(match.Groups["name"].Value).IsMatch(code))
        select $"{path}({text[..block.Index].Count(one => one == '\n') + 1}) drops an exception, and no comment says why";

    private static Regex Word(string word) => new($@"\b{word}\b", RegexOptions.CultureInvariant);

    /// <summary>From <c>catch</c> to the brace with the same indentation that closes its block.</summary>
    [GeneratedRegex(
        @"^(?<indent> *)catch\b(?<clause>.*?)\n\k<indent>\{\n(?<block>.*?)^\k<indent>\}", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex CatchBlock();

    /// <summary>The exception, or what a filter takes from it.</summary>
    [GeneratedRegex(@"^ \([\w.<>]+ (?<name>\w+)\)|\{ \} (?<name>\w+)")]
    private static partial Regex Variable();
}
