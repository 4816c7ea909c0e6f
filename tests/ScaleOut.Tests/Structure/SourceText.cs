namespace ScaleOut.Tests.Structure;

/// <summary>
/// Rules for the text of the project: plain words of the field, and lines and files that fit a screen. Each method returns the violations
/// with file and line.
/// </summary>
internal static class SourceText
{
    private const int MaxColumns = 140;
    private const int MaxLines = 400;

    private static readonly Regex AnyWord = Word(@"\w+");
    private static readonly Regex Comment = Word("//.*");

    private static readonly string[] OtherFolders =
        ["bin", "obj", "node_modules", ".git", "artifacts", "runs", "TestResults", "BenchmarkDotNet.Artifacts"];

    private static readonly string[] Extensions =
        [".cs", ".md", ".js", ".css", ".html", ".json", ".bicep", ".csproj", ".props", ".yaml", ".http", ".sh"];

    /// <summary>Files that are not checked: they are generated, describe the past, or list the words themselves.</summary>
    private static readonly string[] OtherFiles =
        ["package-lock.json", "CHANGELOG.md", "StructureTests.cs", "SourceText.cs", "SourceTextTests.cs"];

    /// <summary>Words that a Cosmos DB or Durable engineer would have to look up, each with the usual word.</summary>
    private static readonly (Regex Word, string Instead)[] Words =
    [
        (Word("(?<![a-z])fault|Fault"), "error, invalid; a fault is what the simulated account injects"),
        (Word("(?<![a-z])[Aa]nswer|[a-z]Answer"), "response, result; responds"),
        (Word(@"\b[Pp]uts?\b|(?<![A-Z])Puts?(?=[A-Z_])"), "write, create; Succeeded"),
        (Word(@"([Tt]he|[Ii]ts|[Tt]heir|'s) books\b|[a-z]Books|\bBooks(?=[A-Z.])"), "counts of a report, ledger of the account"),
        (Word(@"(?<![a-zA-Z])[Ll]anes?\b|Lanes?(?=[A-Z]|\b)"), "operation loop"),
        (Word("(?<![a-z])[Rr]efus|Refus"), "reject; unauthorized, forbidden"),
        (Word("[Pp]atience"), "TransientRetry"),
        (Word(@"\b[Tt]ak(e|es|en|ing) up\b|TakenUp|taken-up|\banew\b|Anew"), "resume"),
        (Word("[Pp]opulat"), "preload"),
        (Word(@"\b[Ff]old(s|ed|ing)?\b"), "aggregate"),
        (Word(@"\b[Hh]ello\b|[Gg]reeting"), "handshake request, handshake response"),
        (Word(@"\b[Tt]old\b|\b[Tt]ell(s|ing)?\b|Told|Tells?(?=[A-Z_])"), "report, notify, log; show, say"),
        (Word(@"\.Of\(|static [\w<>?\[\], ]+ Of\("), "From(...), Create(...)"),
    ];

    /// <summary>Uses of these words that are allowed, by file and phrase.</summary>
    private static readonly (string Files, Regex Phrase, string Why)[] Exceptions =
    [
        ("Simulator/", Word("[Ff]ault"), "the account injects faults"),
        ("tests/ScaleOut.Tests/Simulator/", Word("[Ff]ault"), "the account injects faults"),
        ("Shared/Specs/SimulationSpec.cs", Word("[Ff]ault"), "declares the faults that the account injects"),
        ("", Word(@"Fault(Rule|Operation)s?|FaultInjector|\bFaults = \[|\.Faults\b|\bfaults\b(\[|"")"), "names of them"),
        ("", Word(@"`faults`|""faults""|simulation\.faults"), "their field"),
        ("", Word("[Ll]atency,? (and )?faults|[Ff]aults that the account|[Ff]ault rules|the fault shows"), "the account injects faults"),
        ("docs/", Word(@"\| fault \||A \*?fault\*?"), "the glossary"),
        ("tests/ScaleOut.Tests/Shared/Specs/SpecGenerators.cs", Word(@"Faults(?= = Faults)|\bFaults\("),
            "makes faults of a simulated account"),
        ("Shared/Validation/SpecReading.cs", Word("population"), "a field's former name, which an error maps to the new one"),
        ("tests/ScaleOut.Tests/Shared/Specs/RunSpecReaderTests.cs", Word("population"), "the test of that"),
        ("Simulator/Protocol/RequestFields.cs", Word("populate"), "a header's name"),
        ("tests/ScaleOut.Tests/Simulator/Protocol/ResponseHeaderTests.cs", Word("Populate"), "a property of the SDK"),
        ("tests/ScaleOut.Tests/Simulator/Protocol/QueryFormTests.cs", Word("[Pp]opulate"), "properties of the SDK and headers"),
        ("tests/ScaleOut.Tests/Simulator/Direct/AuthenticatedFuzzTests.cs", Word("""put"""), "the HTTP method"),
        ("Simulator/Direct/DirectExchange.cs", Word(@"put\\n"), "the HTTP method that a request was signed with"),
        ("", Word("IsFaulted"), "Task.IsFaulted"),
        ("", Word(@"ConnectionRefused|[Cc]onnection (was |is )?refused|ECONNREFUSED"), "the system's own name of a socket's error"),
        ("", Word(@"Put Blob|HttpMethod\.Put|RequestMethod\.Put|MapPut|[Pp]utAsync|AcceptPut"), "the HTTP method and calls of it"),
        ("", Word(@"Hello, world!"), "a published test vector of the hash"),
    ];

    /// <summary>Lines of the repository with a word that has a plainer one.</summary>
    public static IEnumerable<string> DialectIn(string path, string text) =>
        from entry in text.Split('\n').Select((line, index) => (Line: Remaining(path, line), Number: index + 1))
        from word in Words
        let match = word.Word.Match(entry.Line)
        where match.Success
        select $"{path}({entry.Number}): '{match.Value}' ({word.Instead}): {entry.Line.Trim()}";

    /// <summary>Lines that do not fit, and a file that is too long.</summary>
    public static IEnumerable<string> LongIn(string path, string text)
    {
        var lines = text.Split('\n');
        if (lines.Length > MaxLines + 1)
            yield return $"{path}: {lines.Length} lines, more than {MaxLines}";
        for (var i = 0; i < lines.Length; i++)
        {
            if (lines[i].TrimEnd('\r').Length > MaxColumns)
                yield return $"{path}({i + 1}): {lines[i].Length} columns, more than {MaxColumns}";
        }
    }

    /// <summary>The words of source, without those of its comments.</summary>
    public static IEnumerable<string> WordsOf(string text) => AnyWord.Matches(Comment.Replace(text, "")).Select(match => match.Value);

    /// <summary>The repository's text files, by their path from its root.</summary>
    public static IEnumerable<(string Path, string Text)> Files(params string[] extensions) => FilesIn(RepositoryFiles.Root)
        .Where(file =>
            (extensions.Length > 0 ? extensions : Extensions).Contains(Path.GetExtension(file))
                && !OtherFiles.Contains(Path.GetFileName(file)))
        .Select(file => (Path.GetRelativePath(RepositoryFiles.Root, file).Replace('\\', '/'), File.ReadAllText(file)));

    private static IEnumerable<string> FilesIn(string folder) => Directory.EnumerateFiles(folder)
        .Concat(Directory.EnumerateDirectories(folder).Where(inner => !OtherFolders.Contains(Path.GetFileName(inner))).SelectMany(FilesIn));

    private static string Remaining(string path, string line) => Exceptions
        .Where(exception => path.StartsWith(exception.Files, StringComparison.Ordinal))
        .Aggregate(line, (rest, exception) => exception.Phrase.Replace(rest, ""));

    private static Regex Word(string pattern) => new(pattern, RegexOptions.CultureInvariant | RegexOptions.Compiled);
}
