namespace ScaleOut.Tests.Shared.Validation;

public sealed class NearestNameTests
{
    [Theory]
    [InlineData("", "abc", 3)]
    [InlineData("abc", "abc", 0)]
    [InlineData("througput", "throughput", 1)]
    [InlineData("wrokers", "workers", 1)]
    [InlineData("kitten", "sitting", 3)]
    public void Distance_TwoWords_CountsEdits(string left, string right, int distance) =>
        Assert.Equal(distance, NearestName.Distance(left, right));

    [Theory]
    [InlineData("througput", "throughput")]
    [InlineData("WORKERS", "workers")]
    [InlineData("colour", null)]
    public void From_MisspeltName_FindsOnlyWhatIsNear(string name, string? meant) =>
        Assert.Equal(meant, NearestName.From(name, ["workers", "throughput", "client"]));

    [Fact]
    public void AllOf_SeveralNear_ListsTheNearestFirst() => Assert.Equal(
        ["latency99", "latency9", "latency95"], NearestName.AllOf("latency99", ["latency9", "other", "latency95", "latency99"], 3));
}
