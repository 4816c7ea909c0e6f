using System.Globalization;

namespace ScaleOut.Analysis.Reports.Charts;

/// <summary>Workers, or bands of neighbouring workers when there are too many to distinguish their colours.</summary>
/// <param name="Name">Such as <c>worker 3</c> or <c>workers 0-7</c>.</param>
/// <param name="Colour">CSS class.</param>
/// <param name="PerSecond">Documents inserted by all of them in each entry of the report's series.</param>
internal sealed record WorkerBands(string Name, string Colour, IReadOnlyList<double> PerSecond)
{
    /// <summary>Colours that can be distinguished.</summary>
    public const int MaxBands = 8;

    public static IReadOnlyList<WorkerBands> From(IReadOnlyList<WorkerReport> workers, int entries)
    {
        var each = workers.Count <= MaxBands;
        var bands = Math.Min(MaxBands, workers.Count);
        return [.. Enumerable.Range(0, bands).Select(band =>
        {
            var first = band * workers.Count / bands;
            var members = workers.Skip(first).Take(((band + 1) * workers.Count / bands) - first).ToList();
            var perSecond = new double[entries];
            foreach (var member in members)
            {
                for (var i = 0; i < entries; i++)
                    perSecond[i] += member.PerSecond[i];
            }

            return new WorkerBands(
                members.Count == 1 ? Text($"worker {first}") : Text($"workers {first}-{first + members.Count - 1}"),
                Text($"{(each ? 's' : 'q')}{band}"),
                perSecond);
        })];
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
