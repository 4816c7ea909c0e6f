namespace ScaleOut.Tests.Structure;

/// <summary>Concepts that have one place. Somebody who needs one of them again uses that place.</summary>
public sealed class ConceptTests
{
    private static readonly Regex CutText = new(@"\[\.\.\(?[mM]ax[A-Z]\w*", RegexOptions.CultureInvariant);

    /// <summary>Those with arithmetic of their own, the claims about two variants, and the claims about one figure.</summary>
    private const int MaxFindingTests = 9;

    private static IEnumerable<(string Path, string Text)> Production => SourceText.Files().Where(file =>
        !file.Path.StartsWith("tests/", StringComparison.Ordinal) && !file.Path.StartsWith("bench/", StringComparison.Ordinal));

    [Theory]
    // What bounded a run, in words.
    [InlineData("\"the clients' CPU", "Analysis/Reports/Words.cs")]
    // The account's delays came late.
    [InlineData("responses came late", "Analysis/Reports/DelayReport.cs")]
    [InlineData("later than its latency", "")]
    // The seconds in which a partition was at its limit.
    [InlineData("PartitionShare *", "Analysis/Reports/Building/BoundByRule.cs")]
    // The report of nothing, whose numbers are the names that conditions may use.
    [InlineData("new RunLegs([]", "Analysis/Limits/LimitNumbers.cs")]
    // Shortening a text.
    [InlineData("IsHighSurrogate(", "Shared/Texts/ShortText.cs")]
    public void Text_OfAConcept_IsInOneFile(string text, string expected)
    {
        string[] files = [.. Production.Where(file => file.Text.Contains(text, StringComparison.Ordinal)).Select(file => file.Path)];
        Assert.Equal(expected.Length == 0 ? [] : [expected], files);
    }

    [Fact]
    public void Text_ThatIsShortened_IsCutByShortText() => StructureTests.AssertNone(
        Production.Where(file => file.Path != "Shared/Texts/ShortText.cs")
            .SelectMany(file => CutText.Matches(file.Text).Select(match => $"{file.Path} cuts a text: {match.Value}")));

    [Theory]
    [InlineData("text[..MaxLength]", true)]
    [InlineData("text[..(MaxLength - 3)]", true)]
    [InlineData("line[..maxLength]", true)]
    [InlineData("bytes[..length]", false)]
    public void CutText_OutsideShortText_IsNoticed(string code, bool noticed) => Assert.Equal(noticed, CutText.IsMatch(code));

    [Fact]
    public void FindingKinds_WithoutArithmeticOfTheirOwn_AreRows() => Assert.InRange(
        typeof(FindingTest).Assembly.GetTypes().Count(type => type.IsSubclassOf(typeof(FindingTest))), 1, MaxFindingTests);
}
