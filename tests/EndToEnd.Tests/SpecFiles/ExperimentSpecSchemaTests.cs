using NJsonSchema;

namespace ScaleOut.Tests.EndToEnd.SpecFiles;

public sealed class ExperimentSpecSchemaTests
{
    private const string Rewrite = "SCALEOUT_REWRITE_SCHEMA";

    private static readonly string SchemaFile = Path.Combine(RepositoryFiles.Plans, "experiment.schema.json");

    [Fact]
    public void File_OfTheRepository_IsWhatValidationAccepts()
    {
        var generated = ExperimentSpecReader.Schema().ToJsonString(ScaleOutJson.Indented) + "\n";
        if (Environment.GetEnvironmentVariable(Rewrite) == "1")
            File.WriteAllText(SchemaFile, generated);
        Assert.True(File.Exists(SchemaFile) && File.ReadAllText(SchemaFile) == generated,
            $"plans/experiment.schema.json differs from what validation accepts; rewrite it with {Rewrite}=1 "
                + $"dotnet test --project tests/EndToEnd.Tests --filter-class '*{nameof(ExperimentSpecSchemaTests)}'");
    }

    [Theory]
    [InlineData("""{ "variants": [ { "name": "a" } ] }""", true)]
    [InlineData(
        """
        {
          "base": { "documents": 30, "client": { "connectionMode": "direct" } },
          "variants": [ { "name": "a", "change": { "workers": null } } ], "repeats": null
        }
        """,
        true)]
    [InlineData("""{ }""", false)]
    [InlineData("""{ "variants": [ ] }""", false)]
    [InlineData("""{ "variants": [ { "name": " a" } ] }""", false)]
    [InlineData("""{ "variants": [ { "name": "a", "change": { "wrkers": 1 } } ] }""", false)]
    [InlineData("""{ "base": { "documents": 0 }, "variants": [ { "name": "a" } ] }""", false)]
    [InlineData("""{ "variants": [ { "name": "a", "published": { "perSecond": 0 } } ] }""", false)]
    [InlineData("""{ "variants": [ { "name": "a" } ], "scale": 0 }""", false)]
    public async Task Validate_Text_AgreesWithTheReader(string json, bool valid)
    {
        var schema = await JsonSchema.FromJsonAsync(ExperimentSpecReader.Schema().ToJsonString(), TestContext.Current.CancellationToken);
        Assert.Equal(valid, schema.Validate(json).Count == 0);
        Assert.Equal(valid, ExperimentSpecReader.Read(json).Errors.Count == 0);
    }
}
