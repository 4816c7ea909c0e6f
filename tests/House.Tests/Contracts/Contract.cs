namespace ScaleOut.Tests.Contracts;

/// <summary>A file of docs/contracts, with what users and their programs rely on.</summary>
internal static class Contract
{
    /// <summary>
    /// Checks that a file holds the lines that the program gives. Writes them there instead if SCALEOUT_REWRITE_CONTRACTS is 1.
    /// </summary>
    /// <param name="test">The class of the test.</param>
    public static void AssertIs(string file, IEnumerable<string> lines, string test) =>
        GeneratedText.AssertIs(PathOf(file), string.Concat(lines.Select(line => line + "\n")), "SCALEOUT_REWRITE_CONTRACTS", test);

    /// <summary>The lines of a section: those between its heading and the next empty line.</summary>
    public static IReadOnlyList<string> Section(string file, string heading)
    {
        var lines = File.ReadAllLines(Path.Combine(RepositoryFiles.Root, PathOf(file)));
        var start = Array.IndexOf(lines, $"# {heading}");
        Assert.True(start >= 0, $"{file} has no section '{heading}'.");
        return [.. lines.Skip(start + 1).TakeWhile(line => line.Length > 0)];
    }

    private static string PathOf(string file) => $"docs/contracts/{file}";
}
