namespace ScaleOut.Tests.Analysis.Text;

public class WrappedLinesTests
{
    [Theory]
    [InlineData("fits as it is", 20, "fits as it is")]
    [InlineData("breaks between two of its words", 20, "breaks between two", "  of its words")]
    [InlineData("  limit      bound by its request units", 26, "  limit      bound by its", "             request units")]
    [InlineData("  note: one that is long", 20, "  note: one that is", "    long")]
    [InlineData("a /path/that/is/longer/than/a/line", 20, "a /path/that/is/long", "  er/than/a/line")]
    [InlineData("narrow terminals are left alone", 10, "narrow terminals are left alone")]
    public void From_Line_BreaksBetweenWords(string line, int columns, params string[] expected) =>
        Assert.Equal(expected, WrappedLines.From(line, columns));
}
