namespace ScaleOut.Tests.Structure;

/// <summary>A member, or a type with a primary constructor, as its source declares it.</summary>
/// <param name="Name">Name of the file up to the first dot, and of the member: <c>RunReport.From</c>.</param>
/// <param name="Lines">From the first line of its declaration to the last one of its body; 1 for a type.</param>
/// <param name="Parameters">0 for members without a list of parameters, and for records, whose parameters are their data.</param>
internal sealed record SourceMember(string Path, int Line, string Name, int Lines, int Parameters)
{
    public override string ToString() => $"{Path}({Line}) {Name}";
}

/// <summary>
/// Finds the members of source by their accessibility, which every member has but those of interfaces, and by their indentation, which
/// `dotnet format` checks.
/// </summary>
internal static partial class SourceMembers
{
    public static IEnumerable<SourceMember> In(string path, string text)
    {
        var lines = text.Split('\n');
        var stem = Path.GetFileName(path).Split('.')[0];
        for (var i = 0; i < lines.Length; i++)
        {
            if (!Start().IsMatch(lines[i]))
                continue;
            var end = EndOf(lines, i);
            var source = string.Join('\n', lines[i..(end + 1)]);
            var type = TypeName().Match(source);
            var header = type.Success ? type : MemberName().Match(source);
            if (header.Success && (!type.Success || type.Groups["open"].Success))
            {
                var parameters = type.Groups["record"].Success ? 0 : ParametersIn(source.AsSpan(header.Index + header.Length));
                yield return new(path, i + 1, $"{stem}.{header.Groups["name"].Value}", type.Success ? 1 : end - i + 1, parameters);
            }
        }
    }

    /// <summary>The last line of the declaration that begins at a line.</summary>
    private static int EndOf(string[] lines, int start)
    {
        var indentation = IndentationOf(lines[start]);
        var isInBlock = false;
        for (var i = start; i < lines.Length - 1; i++)
        {
            var isOutermost = IndentationOf(lines[i]) == indentation;
            if (isOutermost && lines[i].TrimStart() is ['}' or ']', ..])
                return i;
            isInBlock |= isOutermost && lines[i].TrimStart() is ['{' or '[', ..];
            if (!isInBlock && IndentationOf(lines[i + 1]) <= indentation && lines[i + 1].TrimStart() is not ['{' or '[', ..])
                return i;
        }

        return lines.Length - 1;
    }

    private static int IndentationOf(string line) => line.Trim().Length == 0 ? 0 : line.Length - line.TrimStart().Length;

    /// <summary>Counts parameters up to the bracket that closes their list.</summary>
    private static int ParametersIn(ReadOnlySpan<char> text)
    {
        var depth = 0;
        var count = 0;
        var hasAny = false;
        foreach (var c in text)
        {
            if (c == ')' && depth == 0)
                break;
            depth += c is '(' or '[' or '{' or '<' ? 1 : c is ')' or ']' or '}' or '>' ? -1 : 0;
            count += c == ',' && depth == 0 ? 1 : 0;
            hasAny |= !char.IsWhiteSpace(c);
        }

        return hasAny ? count + 1 : 0;
    }

    [GeneratedRegex("^ *(?:public|internal|protected|private|file) ")]
    private static partial Regex Start();

    [GeneratedRegex(
        @"\A[^(=;{]*?\b(?:(?<record>record)(?: class| struct)?|class|struct|interface|enum) (?<name>\w+)(?:<[\w, ]+>)?(?<open>\()?")]
    private static partial Regex TypeName();

    /// <summary>A name before a bracket, with nothing that is assigned before it. A tuple's bracket follows a space.</summary>
    [GeneratedRegex(@"\A[^=;{]*?\b(?<name>\w+)(?:<[\w, ]+>)?\(")]
    private static partial Regex MemberName();
}
