namespace ScaleOut.Tests.Structure;

/// <summary>The rules of the names of files, types and tests. Each method returns the violations as sentences.</summary>
internal static partial class FileNames
{

    /// <summary>A file with types whose name up to the first dot is none of them: <c>RunFiles.Legs.cs</c> is a part of RunFiles.</summary>
    public static IEnumerable<string> MisnamedIn(string path, string text)
    {
        var types = TypesIn(text).ToList();
        return types.Count == 0 || types.Contains(StemOf(path)) ? [] : [$"{path} is named after none of {string.Join(", ", types)}"];
    }

    /// <summary>Test classes that do not lie where the type or file of their name lies.</summary>
    /// <param name="files">All files of source.</param>
    public static IEnumerable<string> MisplacedIn(IReadOnlyList<(string Path, string Text)> files)
    {
        var known = files.Where(file => !file.Path.StartsWith("tests/", StringComparison.Ordinal))
            .SelectMany(file => TypesIn(file.Text).Append(StemOf(file.Path)).Select(name => $"{FolderOf(file.Path)}/{name}"))
            .ToHashSet();
        return
            from file in files
            let folder = MirroredFolder(file.Path)
            where folder is not null
            from Match test in TestClass().Matches(file.Text)
            let source = test.Groups["source"].Value
            where !known.Contains($"{folder}/{source}")
            select $"{file.Path}: {folder} has no type or file {source}";
    }

    /// <summary>Tests whose names are not <c>Method_Condition_Result</c>.</summary>
    public static IEnumerable<string> MisnamedTestsIn(string path, string text) =>
        from Match test in TestMethod().Matches(text)
        let name = test.Groups["name"].Value
        where !ThreeParts().IsMatch(name)
        select $"{path}: {name}";

    /// <summary>The folder of the sources that a file of tests is about; null for other files.</summary>
    private static string? MirroredFolder(string path)
    {
        var test = TestProject().Match(FolderOf(path));
        return test.Success ? test.Groups["project"].Value + test.Groups["folder"].Value : null;
    }

    private static IEnumerable<string> TypesIn(string text) => TypeDeclaration().Matches(text).Select(match => match.Groups["name"].Value);

    private static string StemOf(string path) => Path.GetFileName(path).Split('.')[0];

    private static string FolderOf(string path) => Path.GetDirectoryName(path)!.Replace('\\', '/');

    [GeneratedRegex(
        @"^(?:(?:public|internal|file|sealed|static|abstract|partial|readonly|ref|unsafe) )*"
            + @"(?:class|struct|interface|enum|record(?: class| struct)?|delegate [\w<>,\[\]?. ]+?) (?<name>\w+)",
        RegexOptions.Multiline)]
    private static partial Regex TypeDeclaration();

    [GeneratedRegex(@"^public (?:sealed |partial )*class (?<source>\w+)Tests\b", RegexOptions.Multiline)]
    private static partial Regex TestClass();

    [GeneratedRegex(@"\[(?:\w*Fact|\w*Theory)\b[^\n]*\n(?:(?!    public )[^\n]*\n)*    public [^\n(]*?(?<name>\w+)\(")]
    private static partial Regex TestMethod();

    /// <summary>Without the tests that concern more than one type.</summary>
    [GeneratedRegex(@"^tests/(?!EndToEnd|House)(?<project>\w+)\.Tests(?<folder>(?!/EndToEnd)/.*)?$")]
    private static partial Regex TestProject();

    [GeneratedRegex("^[A-Z][A-Za-z0-9]*(?:_[A-Z0-9][A-Za-z0-9]*){2}$")]
    private static partial Regex ThreeParts();
}
