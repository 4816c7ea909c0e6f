namespace ScaleOut.Tests.Structure;

/// <summary>The project in samples, which CI builds outside of the repository, beside what it repeats of the repository.</summary>
public sealed class SampleTests
{
    private const string Folder = "samples/OrderTests";

    [Fact]
    public void Fixture_OfTheDocument_IsThatOfTheSample()
    {
        var shown = DocumentText.Blocks("docs/testing.md", "csharp")
            .Single(block => block.Contains("IAsyncLifetime", StringComparison.Ordinal)).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var sample = File.ReadAllLines(DocumentText.PathOf($"{Folder}/AccountFixture.cs"));

        Assert.NotEmpty(shown);
        Assert.Empty(shown.Except(sample));
    }

    [Fact]
    public void Runner_OfTheSample_HasTheVersionOfTheRepository() => Assert.Equal(
        VersionOf("Directory.Packages.props", "PackageVersion", "xunit.v3"), VersionOf(SampleProject, "PackageReference", "xunit.v3"));

    [Fact]
    public void Package_OfTheDocumentAndTheSample_IsTheOneThatIsPacked()
    {
        const string package = "ScaleOut.SimulatedAccount";
        var packed = File.ReadAllText(DocumentText.PathOf("Simulator/Simulator.csproj"));
        var reference = XElement.Parse(DocumentText.Blocks("docs/testing.md", "xml").Single());

        Assert.Contains($"<PackageId>{package}</PackageId>", packed, StringComparison.Ordinal);
        Assert.Equal(
            (package, VersionOf(SampleProject, "PackageReference", package)),
            ((string?)reference.Attribute("Include"), (string?)reference.Attribute("Version")));
    }

    private static string SampleProject => $"{Folder}/OrderTests.csproj";

    private static string? VersionOf(string file, string element, string package) => (string?)XDocument.Load(DocumentText.PathOf(file))
        .Descendants(element).Single(one => (string?)one.Attribute("Include") == package).Attribute("Version");
}
