using System.Globalization;

namespace ScaleOut.Workers.Measuring;

/// <summary>Busy share of all cores of the machine since the last reading, from <c>/proc/stat</c>; null elsewhere than on Linux.</summary>
public sealed class MachineCpu
{
    private const string StatPath = "/proc/stat";
    private const int IdleColumn = 3;
    private const int WaitColumn = 4;
    private const int Columns = 8;

    private (long Busy, long All)? _last = Read();

    /// <summary>0 to 1; null where the machine does not tell.</summary>
    public double? NextShare()
    {
        var now = Read();
        var last = _last;
        _last = now;
        return now is { } to && last is { } from && to.All > from.All ? (double)(to.Busy - from.Busy) / (to.All - from.All) : null;
    }

    private static (long Busy, long All)? Read()
    {
        try
        {
            using var stat = new StreamReader(StatPath);
            var columns = stat.ReadLine()?.Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).Take(Columns)
                .Select(column => long.Parse(column, CultureInfo.InvariantCulture)).ToArray();
            return columns is { Length: Columns } ? (columns.Sum() - columns[IdleColumn] - columns[WaitColumn], columns.Sum()) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            return null;
        }
    }
}
