using System.Globalization;
using ScaleOut.Analysis.Charts;
using ScaleOut.Analysis.Reports.Writers;
using ScaleOut.Analysis.Statistics;
using ScaleOut.Analysis.Text;
using ScaleOut.Profiles;

namespace ScaleOut.Analysis.Calibration;

/// <summary>A profile as a page of its own, with plots of charges by size and of the quantiles of service times.</summary>
public static class ProfilePage
{
    /// <summary>The whole file.</summary>
    public static string From(AccountProfile profile)
    {
        ArgumentNullException.ThrowIfNull(profile);
        return new ReportPage
        {
            Subject = $"Profile {profile.Name}",
            Result = [$"The physics of {profile.Account}{(profile.Region is { } region ? $" ({region})" : "")}."],
            About = [$"Measured {Numbers.Instant(profile.MeasuredAt)} by Cosmos SDK {profile.SdkVersion}."],
            Parts =
            [
                ReportPart.List("warnings", "Notes", profile.Notes),
                .. Plots(profile).Select(ReportPart.From),
                .. ProfileTables.From(profile).Select(ReportPart.From),
            ],
        }.ToHtml();
    }

    private static IEnumerable<Plot> Plots(AccountProfile profile)
    {
        if (Series("point reads", profile.Charges.Reads) is { } reads)
            yield return Charges("reads", "Charge of point reads by size", reads);
        if (Series("creates without index entries", profile.Charges.Writes) is { } writes)
            yield return Charges("writes", "Charge of creates by size", writes);
        if (Service("write", profile.Latency.Write) is { } write)
            yield return Quantiles("write-quantiles", "Service time of creates", write);
        if (Service("read", profile.Latency.Read) is { } read)
            yield return Quantiles("read-quantiles", "Service time of point reads", read);
    }

    private static Plot Charges(string id, string title, CurveSeries series)
    {
        var plot = new CurvePlot([series], "KB", "RU", logarithmic: true);
        return new Plot(
            id, title, $"From {Numbers.Brief(series.Points[0].Y)} RU at {Numbers.Brief(series.Points[0].X)} KB to "
            + $"{Numbers.Brief(series.Points[^1].Y)} RU at {Numbers.Brief(series.Points[^1].X)} KB.",
            plot.Legend, plot.Draw);
    }

    private static Plot Quantiles(string id, string title, CurveSeries series)
    {
        var plot = new CurvePlot([series], "one of so many operations takes longer", "ms", logarithmic: true);
        return new Plot(
            id, title, $"The median is {Numbers.Brief(series.Points[0].Y)} ms; one of {Numbers.Brief(series.Points[^1].X)} takes longer "
            + $"than {Numbers.Brief(series.Points[^1].Y)} ms.",
            plot.Legend, plot.Draw, "Lines show 95% intervals of order statistics.");
    }

    private static CurveSeries? Series(string name, IReadOnlyList<SizeFigure> figures) => figures.Count < 2
        ? null
        : new CurveSeries(name,
        [
            .. figures.Select(one => Point(
                one.Bytes / 1_024.0, one.RequestUnits,
                $"{Numbers.Brief(one.Bytes / 1_024.0)} KB: {Numbers.Brief(one.RequestUnits.Value)} RU")),
        ]);

    /// <summary>Over how many operations there are for each that takes longer: 2 at the median, 1,000 at p99.9.</summary>
    private static CurveSeries? Service(string name, ServiceFigures? service)
    {
        var quantiles = service?.Quantiles.Where(quantile => quantile.Probability >= 0.5).ToList() ?? [];
        return quantiles.Count < 2
            ? null
            : new CurveSeries($"{name}s on an idle partition",
            [
                .. quantiles.Select(quantile => Point(
                    Math.Round(1 / (1 - quantile.Probability), 2), quantile.Ms,
                    string.Create(
                        CultureInfo.InvariantCulture, $"p{100 * quantile.Probability:0.##}: {Numbers.Brief(quantile.Ms.Value)} ms"))),
            ]);
    }

    private static CurvePoint Point(double x, MeasuredFigure y, string title) => new(x, y.Value, new Interval(y.Low, y.High), title);
}
