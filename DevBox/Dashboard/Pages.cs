using System.Reflection;
using ScaleOut.Http;

namespace ScaleOut.DevBox.Dashboard;

/// <summary>The page's files, which are part of the program. They use nothing but the HTTP interface, and come from nowhere else.</summary>
internal static class Pages
{
    private const string Prefix = "dashboard/";

    /// <summary>Scripts and styles of this server alone, connections to it alone, and no place in another site's frame.</summary>
    private const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static readonly Dictionary<string, HttpAnswer> Files = Load();

    /// <summary>The file at a path; null when there is none.</summary>
    public static HttpAnswer? Find(string method, string path)
    {
        if (method is not ("GET" or "HEAD") || Files.GetValueOrDefault(path == "/" ? "/index.html" : path) is not { } file)
            return null;
        return method == "HEAD" ? file with { Body = default } : file;
    }

    private static Dictionary<string, HttpAnswer> Load()
    {
        var assembly = Assembly.GetExecutingAssembly();
        var files = new Dictionary<string, HttpAnswer>(StringComparer.Ordinal);
        foreach (var name in assembly.GetManifestResourceNames().Where(name => name.StartsWith(Prefix, StringComparison.Ordinal)))
        {
            using var stream = assembly.GetManifestResourceStream(name)!;
            using var content = new MemoryStream();
            stream.CopyTo(content);
            files["/" + name[Prefix.Length..]] = new HttpAnswer { Status = 200, ContentType = TypeOf(name), Body = content.ToArray() }
                .With("Content-Security-Policy", Policy)
                .With("X-Content-Type-Options", "nosniff")
                .With("Referrer-Policy", "no-referrer")
                .With("Cache-Control", "no-cache");
        }

        return files;
    }

    private static string TypeOf(string name) => Path.GetExtension(name) switch
    {
        ".html" => "text/html; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        _ => "text/javascript; charset=utf-8",
    };
}
