namespace ScaleOut.Tests.Support;

/// <summary>Files of the repository, and parts of them, that the code generates.</summary>
internal static class GeneratedText
{
    /// <summary>Checks that a file holds the generated text. Writes it there instead if an environment variable is 1.</summary>
    /// <param name="path">From the repository's root.</param>
    /// <param name="generated">What the file must hold.</param>
    /// <param name="variable">The environment variable.</param>
    /// <param name="test">The class of the test, for the message that says how to rewrite the text.</param>
    /// <param name="begin">Stands before the text; empty if the text is the whole file.</param>
    /// <param name="end">Stands after the text.</param>
    public static void AssertIs(string path, string generated, string variable, string test, string begin = "", string end = "")
    {
        var file = Path.Combine(RepositoryFiles.Root, path);
        var text = File.Exists(file) ? File.ReadAllText(file) : "";
        var (from, to) = (0, text.Length);
        if (begin.Length > 0)
        {
            Assert.Contains(begin, text, StringComparison.Ordinal);
            from = text.IndexOf(begin, StringComparison.Ordinal) + begin.Length;
            to = text.IndexOf(end, from, StringComparison.Ordinal);
            Assert.True(to >= from, $"{path} has no '{end}' after '{begin}'.");
        }

        if (Environment.GetEnvironmentVariable(variable) == "1")
            File.WriteAllText(file, text[..from] + generated + text[to..]);
        else
            Assert.True(
                text[from..to] == generated,
                $"{path} differs from what the code makes; rewrite it with {variable}=1 "
                    + $"dotnet test --filter-class '*{test}' --ignore-exit-code 8");
    }
}
