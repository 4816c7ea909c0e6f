namespace ScaleOut.Tests.Analysis.Text;

public sealed class CsvTextTests
{
    [Fact]
    public void From_AnyText_IsUtf8WithoutAMarkAtItsBeginning()
    {
        CsvColumn<string>[] columns = [new("name", CsvText.Quoted), new("länge", text => $"{text.Length}")];

        Assert.Equal("name,länge\r\n\"é \"\"x\"\"\",5\r\n"u8.ToArray(), CsvText.From(["é \"x\""], columns));
        // Half of a surrogate pair is replaced, as in the other forms of a report.
        Assert.Equal("name,länge\r\n\"\uFFFD\",1\r\n"u8.ToArray(), CsvText.From(["\uD83D"], columns));
        Assert.Equal("name,länge\r\n"u8.ToArray(), CsvText.From([], columns));
    }
}
