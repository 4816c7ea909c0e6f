using System.Text;

namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>Paths such as <c>/a/b</c> and <c>/"with space"/?</c> in container definitions.</summary>
internal static class PropertyPath
{
    /// <summary>The segments without their quotes; null when the path is malformed.</summary>
    public static List<string>? Parse(string path)
    {
        if (path.Length < 2 || path[0] != '/')
            return null;
        var segments = new List<string>();
        int at = 0;
        while (at < path.Length)
        {
            if (path[at++] != '/' || at == path.Length)
                return null;
            if (path[at] is '"' or '\'')
            {
                char quote = path[at++];
                var name = new StringBuilder();
                while (at < path.Length && path[at] != quote)
                {
                    if (path[at] == '\\' && at + 1 < path.Length)
                        at++;
                    name.Append(path[at++]);
                }

                if (at++ >= path.Length)
                    return null;
                segments.Add(name.ToString());
                continue;
            }

            int end = path.IndexOf('/', at);
            if (end < 0)
                end = path.Length;
            if (end == at)
                return null;
            segments.Add(path[at..end]);
            at = end;
        }

        return segments;
    }
}
