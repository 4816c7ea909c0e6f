namespace ScaleOut.Tests.Structure;

/// <summary>The bugs of <c>tests/mutations/mutants.json</c> can be planted: each fits exactly one place of the code.</summary>
public sealed class MutantsTests
{
    [Fact]
    public void Mutants_Each_FitsOneFileOnce()
    {
        var sources = SourceText.Files().Where(file => !file.Path.StartsWith("tests/", StringComparison.Ordinal))
            .ToLookup(file => Path.GetFileName(file.Path), file => file.Text);
        using var mutants = JsonDocument.Parse(File.ReadAllText(Path.Combine(RepositoryFiles.Root, "tests", "mutations", "mutants.json")));

        var unfit = mutants.RootElement.EnumerateArray()
            .Select(mutant => (File: mutant.GetProperty("file").GetString()!, Old: mutant.GetProperty("old").GetString()!))
            .Where(mutant => sources[mutant.File].ToList() is not [var text] || text.Split(mutant.Old).Length != 2);

        Assert.Empty(unfit);
        Assert.True(mutants.RootElement.GetArrayLength() >= 80);
    }

    /// <summary>A bug whose tests were renamed would be tried against none.</summary>
    [Fact]
    public void Mutants_Tests_AreThere()
    {
        var tests = SourceText.Files().Where(file => file.Path.StartsWith("tests/", StringComparison.Ordinal))
            .Select(file => file.Text).ToList();
        using var mutants = JsonDocument.Parse(File.ReadAllText(Path.Combine(RepositoryFiles.Root, "tests", "mutations", "mutants.json")));

        Assert.All(mutants.RootElement.EnumerateArray(), mutant => Assert.All(
            mutant.GetProperty("tests").EnumerateArray().Select(name => name.GetString()!.Split('.')[^1]),
            name => Assert.Contains(tests, text => text.Contains(name, StringComparison.Ordinal))));
    }
}
