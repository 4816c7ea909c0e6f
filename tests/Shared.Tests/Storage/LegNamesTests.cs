namespace ScaleOut.Tests.Shared.Storage;

public sealed class LegNamesTests
{
    [Theory]
    [InlineData("legs/0003/000001/result.json", 3, 1, LegItem.Result, 0)]
    [InlineData("legs/0999/123456/attempt-002.json", 999, 123_456, LegItem.Attempt, 2)]
    [InlineData("legs/0000/000010/attempt-1000.json", 0, 10, LegItem.Attempt, 1_000)]
    [InlineData("legs/0000/000010/result.damaged-1.json", 0, 10, LegItem.Damaged, 1)]
    public void Read_NameOfALegsItem_SaysWhatItIs(string text, int worker, int leg, LegItem item, int number)
    {
        Assert.Equal(new LegName(worker, leg, item, number), LegNames.Read(text));
        Assert.Equal(text, LegNames.Read(text)!.Text);
    }

    [Theory]
    [InlineData("legs/0003/000001/result.json~")]
    [InlineData("legs/0003/000001/result (copy).json")]
    [InlineData("legs/0003/000001/attempt-.json")]
    [InlineData("legs/0003/000001/attempt-0001.json")]
    [InlineData("legs/0003/000001/result.damaged-x.json")]
    [InlineData("legs/03/000001/result.json")]
    [InlineData("legs/result.json")]
    [InlineData("ready/0003")]
    public void Read_AnyOtherName_IsNull(string text) => Assert.Null(LegNames.Read(text));
}
