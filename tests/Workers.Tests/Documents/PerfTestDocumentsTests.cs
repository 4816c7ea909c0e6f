namespace ScaleOut.Tests.Workers.Documents;

public sealed class PerfTestDocumentsTests
{
    private readonly PerfTestDocuments _documents = new("some-run", keyIsId: false);

    [Theory]
    [InlineData(0)]
    [InlineData(123_456)]
    [InlineData(999_999_999)]
    public void Write_AnyNumber_HasThePropertiesOfThePublishedTest(long number)
    {
        using var json = JsonDocument.Parse(_documents.Write(number));
        var root = json.RootElement;

        Assert.Equal(
            ["id", "KeyNumber", "SomeText", "SomeCount", "PartitionKey"], root.EnumerateObject().Select(property => property.Name));
        Assert.True(root.GetProperty("id").TryGetGuid(out _));
        Assert.Equal(number, root.GetProperty("KeyNumber").GetInt64());
        Assert.Equal("blah blah", root.GetProperty("SomeText").GetString());
        Assert.Equal(100, root.GetProperty("SomeCount").GetInt32());
        Assert.Equal(_documents.KeyOf(number), root.GetProperty("PartitionKey").GetString());
        Assert.True(root.GetProperty("PartitionKey").TryGetGuid(out _));
    }

    [Fact]
    public void Identity_AMillionNumbers_AllDifferAndDifferByPurpose()
    {
        var ids = new DocumentIdentity("run", "id");
        var seen = new HashSet<Guid>();
        for (var number = 0; number < 1_000_000; number++)
            Assert.True(seen.Add(ids.From(number)));

        Assert.NotEqual(ids.From(1), new DocumentIdentity("run", "key").From(1));
    }
}
