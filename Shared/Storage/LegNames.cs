namespace ScaleOut.Storage;

/// <summary>Names of the items of legs in the run store, all under <c>legs/{worker}/{leg}/</c>.</summary>
public static partial class LegNames
{
    /// <summary>Prefix of the items of all legs of a run.</summary>
    public const string Prefix = "legs/";

    private const string ResultFile = "result.json";
    private const string AttemptMark = "attempt-";
    private const string DamagedMark = "result.damaged-";
    private const string SetAsideMark = "result.set-aside-";
    private const string Extension = ".json";
    private const int WorkerDigits = 4;
    private const int LegDigits = 6;

    public static string Worker(int worker) => $"{Prefix}{Number(worker, WorkerDigits)}/";

    /// <summary>A leg's result, such as <c>legs/0003/000001/result.json</c>.</summary>
    public static string Result(int worker, int leg) => Folder(worker, leg) + ResultFile;

    /// <summary>A claimed attempt at a leg, such as <c>legs/0003/000001/attempt-001.json</c>.</summary>
    public static string Attempt(int worker, int leg, int attempt) => $"{Folder(worker, leg)}{AttemptMark}{Number(attempt, 3)}{Extension}";

    /// <summary>A damaged result that was set aside, such as <c>legs/0003/000001/result.damaged-1.json</c>.</summary>
    public static string Damaged(int worker, int leg, int number) =>
        $"{Folder(worker, leg)}{DamagedMark}{number.ToString(CultureInfo.InvariantCulture)}{Extension}";

    /// <summary>Who set a damaged result aside and why, such as <c>legs/0003/000001/result.set-aside-1.json</c>.</summary>
    public static string SetAside(int worker, int leg, int number) =>
        $"{Folder(worker, leg)}{SetAsideMark}{number.ToString(CultureInfo.InvariantCulture)}{Extension}";

    /// <summary>Parses the name of an item; null if it is not the name of a leg's item.</summary>
    public static LegName? Read(string name)
    {
        if (Pattern().Match(name) is not { Success: true } match)
            return null;
        int NumberIn(string group) => int.Parse(match.Groups[group].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture);
        var (worker, leg) = (NumberIn("worker"), NumberIn("leg"));
        var kept = match.Groups["attempt"].Success ? new LegName(worker, leg, LegItem.Attempt, NumberIn("attempt"))
            : match.Groups["damaged"].Success ? new LegName(worker, leg, LegItem.Damaged, NumberIn("damaged"))
            : new LegName(worker, leg, LegItem.Result, 0);
        // A user's copy of an item may have a similar name, which must not count.
        return kept.Text == name ? kept : null;
    }

    private static string Folder(int worker, int leg) => $"{Worker(worker)}{Number(leg, LegDigits)}/";

    private static string Number(int value, int digits) => value.ToString("D" + digits, CultureInfo.InvariantCulture);

    [GeneratedRegex(
        @"^legs/(?<worker>[0-9]{4,9})/(?<leg>[0-9]{6,9})/"
        + @"(result|attempt-(?<attempt>[0-9]{1,9})|result\.damaged-(?<damaged>[0-9]{1,9}))\.json\z",
        RegexOptions.ExplicitCapture)]
    private static partial Regex Pattern();
}

/// <param name="Worker">From 0.</param>
/// <param name="Leg">From 1.</param>
/// <param name="Number">Ordinal of an attempt or a damaged result, from 1; 0 for a result.</param>
public sealed record LegName(int Worker, int Leg, LegItem Item, int Number)
{
    public string Text => Item switch
    {
        LegItem.Result => LegNames.Result(Worker, Leg),
        LegItem.Attempt => LegNames.Attempt(Worker, Leg, Number),
        _ => LegNames.Damaged(Worker, Leg, Number),
    };
}

public enum LegItem
{
    Result,

    Attempt,

    /// <summary>A damaged result that was set aside.</summary>
    Damaged,
}
