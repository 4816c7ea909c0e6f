namespace ScaleOut.Tests.Contracts;

/// <summary>The table of docs/architecture.md with what a run leaves behind.</summary>
public sealed class ItemTableTests
{
    [Fact]
    public void Table_NamesInTheCode_AreInIt()
    {
        var text = InfraFiles.ReadTop("docs/architecture.md");
        var start = text.IndexOf("**What a run leaves behind**", StringComparison.Ordinal);
        var table = text[start..text.IndexOf("\n## ", start, StringComparison.Ordinal)];
        var names = new[] { typeof(RunFiles), typeof(JobFiles) }
            .SelectMany(type => type.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic))
            .Where(field => field.IsLiteral && field.FieldType == typeof(string))
            .Select(field => (string)field.GetRawConstantValue()!).ToList();

        Assert.NotEmpty(names);
        // The forms of the report share a row, `report.{json,html,md,csv}`.
        Assert.All(names, name => Assert.Contains(
            name.StartsWith("report.", StringComparison.Ordinal) ? "`report.{" : $"`{name}", table, StringComparison.Ordinal));
    }
}
