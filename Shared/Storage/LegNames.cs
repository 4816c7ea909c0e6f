namespace ScaleOut.Storage;

/// <summary>Names of the items of legs in the run store, all under <c>legs/{worker}/{leg}/</c>.</summary>
public static class LegNames
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
        if (name.Split('/') is not [_, { Length: >= WorkerDigits } workerText, { Length: >= LegDigits } legText, var file]
            || NumberOf(workerText) is not { } worker || NumberOf(legText) is not { } leg)
            return null;
        var kept = file == ResultFile ? new LegName(worker, leg, LegItem.Result, 0)
            : Between(file, AttemptMark) is { } attempt ? new LegName(worker, leg, LegItem.Attempt, attempt)
            : Between(file, DamagedMark) is { } number ? new LegName(worker, leg, LegItem.Damaged, number)
            : null;
        // A user's copy of an item may have a similar name, which must not count.
        return kept?.Text == name ? kept : null;
    }

    private static string Folder(int worker, int leg) => $"{Worker(worker)}{Number(leg, LegDigits)}/";

    private static string Number(int value, int digits) => value.ToString("D" + digits, CultureInfo.InvariantCulture);

    private static int? NumberOf(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;

    private static int? Between(string file, string mark) =>
        file.StartsWith(mark, StringComparison.Ordinal)
            && file.EndsWith(Extension, StringComparison.Ordinal)
            && file.Length > mark.Length + Extension.Length
            ? NumberOf(file[mark.Length..^Extension.Length])
            : null;
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
