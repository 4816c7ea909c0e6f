using ScaleOut.Analysis.Calibration;

namespace ScaleOut.DevBox.Calibration;

/// <summary>What is left of a profile: its file, its page beside it, and the main figures on the console.</summary>
internal static class ProfileOutput
{
    /// <summary>Writes it. A profile whose file cannot be written is printed.</summary>
    /// <param name="file">Its path; the page has the same name and ends with <c>.html</c>.</param>
    /// <exception cref="InputException">A file cannot be written.</exception>
    public static async Task WriteAsync(AccountProfile profile, string file, TextWriter console)
    {
        var page = Path.ChangeExtension(file, ".html");
        var json = ProfileFile.Write(profile);
        if (await ErrorOfAsync(() => File.WriteAllBytesAsync(file, json)) is { } error)
        {
            await console.WriteLineAsync(Encoding.UTF8.GetString(json));
            throw new InputException($"--out: '{file}' cannot be written: {error} The profile is printed above instead: save that text.");
        }

        if (await ErrorOfAsync(() => File.WriteAllTextAsync(page, ProfilePage.From(profile))) is { } pageError)
            throw new InputException($"--out: the profile is in '{file}', but its page '{page}' cannot be written: {pageError}");

        foreach (var note in profile.Notes)
            await console.WriteLineAsync($"  note         {note}");
        foreach (var (name, figure) in Headlines(profile))
            await console.WriteLineAsync($"  {name,-20} {Text(figure)}");
        await console.WriteLineAsync(FormattableString.Invariant($"  charged      {profile.RequestUnits:#,0} RU"));
        await console.WriteLineAsync($"  profile      {Path.GetFullPath(file)}");
        await console.WriteLineAsync($"  page         {Path.GetFullPath(page)}");
    }

    /// <summary>Null if it was written.</summary>
    private static async Task<string?> ErrorOfAsync(Func<Task> writeAsync)
    {
        try
        {
            await writeAsync();
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return OneLine.From(e.Message);
        }
    }

    private static IEnumerable<(string Name, MeasuredFigure? Figure)> Headlines(AccountProfile profile) =>
    [
        ("create of 1 KB, RU", profile.Charges.Writes is [var first, ..] ? first.RequestUnits : null),
        ("index entry, RU", profile.Charges.PerIndexedTerm),
        ("round trip, ms", profile.Latency.RoundTripMs),
        ("gateway's hop, ms", profile.Latency.GatewayHopMs),
        ("write median, ms", profile.Latency.Write?.MedianMs),
        ("read median, ms", profile.Latency.Read?.MedianMs),
        ("retry-after from, ms", profile.Throttling.RetryAfterMinMs),
        ("retry-after to, ms", profile.Throttling.RetryAfterMaxMs),
    ];

    private static string Text(MeasuredFigure? figure) => figure is null
        ? "not measured"
        : string.Create(
            CultureInfo.InvariantCulture, $"{figure.Value:0.###} ({figure.Low:0.###} to {figure.High:0.###}, {figure.Count} runs)");
}
