namespace ScaleOut.Tests.EndToEnd.Http;

/// <summary><c>DevBox serve</c> as a user starts it, in its own folder and on its own port.</summary>
internal sealed partial class ServeProcess : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    private ServeProcess(IEnumerable<string> arguments, IReadOnlyDictionary<string, string>? environment, int? maxKilobytesOfAFile) =>
        Process = DevBoxProcess.Start(_folder.Path, ["serve", "--port", "0", .. arguments], environment, maxKilobytesOfAFile);

    public DevBoxProcess Process { get; }
    public string Folder => _folder.Path;
    public string Runs => Path.Combine(_folder.Path, "runs");

    /// <summary>Such as <c>http://127.0.0.1:40123/</c>.</summary>
    public Uri Address => new(AddressLine().Match(Process.Output).Groups[1].Value);

    public static Task<ServeProcess> StartAsync(params string[] arguments) => StartAsync(arguments, environment: null);

    public static async Task<ServeProcess> StartAsync(
        IEnumerable<string> arguments, IReadOnlyDictionary<string, string>? environment, int? maxKilobytesOfAFile = null)
    {
        var server = new ServeProcess(arguments, environment, maxKilobytesOfAFile);
        await Until.HoldsAsync(() => server.Process.HasExited || AddressLine().IsMatch(server.Process.Output), "the server");
        Assert.False(server.Process.HasExited, server.Process.Errors);
        return server;
    }

    /// <summary>Creates a client that the caller disposes.</summary>
    public HttpClient Client() => new() { BaseAddress = Address };

    public void Dispose()
    {
        Process.Dispose();
        _folder.Dispose();
    }

    [GeneratedRegex(@"page +(http://\S+)")]
    private static partial Regex AddressLine();
}
