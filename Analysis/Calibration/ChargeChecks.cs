using System.Globalization;
using ScaleOut.Profiles;

namespace ScaleOut.Analysis.Calibration;

/// <summary>
/// Holds the charge figures against operations that they are not made from: replaces, deletes, batches, and creates where indexing is off.
/// </summary>
internal static class ChargeChecks
{
    public static IReadOnlyList<ChargeCheck> From(ChargeFigures figures, IReadOnlyList<ChargeObservation> observations) =>
    [
        .. observations
            .GroupBy(one => (one.Kind, one.Bytes, one.IndexEntries, one.Operations))
            .Select(group => (group.Key, Predicted: Predict(figures, group.First()), Measured: group.Average(one => one.RequestUnits)))
            .Where(check => check.Predicted is not null)
            .Select(check => new ChargeCheck(Name(check.Key), check.Measured, check.Predicted!.Value)),
    ];

    private static double? Predict(ChargeFigures figures, ChargeObservation one)
    {
        var write = figures.Writes.FirstOrDefault(point => point.Bytes == one.Bytes)?.RequestUnits.Value;
        var entries = one.IndexEntries * (figures.PerIndexedTerm?.Value ?? 0);
        return one.Kind switch
        {
            ChargedKind.Replace => (2 * write) + entries,
            ChargedKind.Delete => write + entries,
            ChargedKind.Batch => (one.Operations * write) + entries,
            ChargedKind.CreateWithoutIndex => write,
            _ => null,
        };
    }

    private static string Name((ChargedKind Kind, long Bytes, int IndexEntries, int Operations) key)
    {
        var entries = key.IndexEntries == 0 ? "" : $", {key.IndexEntries} index entries";
        var operation = key.Kind switch
        {
            ChargedKind.Batch => $"batch of {key.Operations} creates",
            ChargedKind.CreateWithoutIndex => "create, indexing off",
            _ => key.Kind.ToString().ToLowerInvariant(),
        };
        return string.Create(CultureInfo.InvariantCulture, $"{operation}, {key.Bytes / 1024.0:0.#} KB{entries}");
    }
}
