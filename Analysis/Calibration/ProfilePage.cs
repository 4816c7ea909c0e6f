namespace ScaleOut.Analysis.Calibration;

/// <summary>A profile as a page of its own, with charts of charges by size and of the quantiles of service times.</summary>
public static class ProfilePage
{
    public static ReportPage From(AccountProfile profile) => new()
    {
        Subject = $"Profile {profile.Name}",
        Result = [$"The physics of {profile.Account}{(profile.Region is { } region ? $" ({region})" : "")}."],
        About =
        [
            $"Measured {Numbers.Instant(profile.MeasuredAt)} by experiment {profile.Experiment}, Cosmos SDK "
                + $"{profile.SdkVersion ?? Numbers.Unknown}, for {Numbers.Brief(profile.RequestUnits)} RU.",
        ],
        Parts =
        [
            ReportPart.Warnings(profile.Notes, "Notes"),
            .. Charts(profile).Select(ReportPart.From),
            .. ProfileTables.From(profile),
        ],
    };

    private static IEnumerable<Chart> Charts(AccountProfile profile)
    {
        if (Series("point reads", profile.Charges.Reads) is { } reads)
            yield return Charge("reads", "Charge of point reads by size", reads);
        if (Series("creates without index entries", profile.Charges.Writes) is { } writes)
            yield return Charge("writes", "Charge of creates by size", writes);
        if (Service("write", profile.Latency.Write) is { } write)
            yield return Quantiles("write-quantiles", "Service time of creates", write);
        if (Service("read", profile.Latency.Read) is { } read)
            yield return Quantiles("read-quantiles", "Service time of point reads", read);
    }

    private static Chart Charge(string id, string title, CurveSeries series) => CurveChart.From(
            id, title, $"From {Numbers.Brief(series.Points[0].Y)} RU at {Numbers.Brief(series.Points[0].X)} KB to "
            + $"{Numbers.Brief(series.Points[^1].Y)} RU at {Numbers.Brief(series.Points[^1].X)} KB.",
            [series], new("KB", "RU", Logarithmic: true));

    private static Chart Quantiles(string id, string title, CurveSeries series) => CurveChart.From(
            id, title, $"The median is {Numbers.Brief(series.Points[0].Y)} ms; one of {Numbers.Brief(series.Points[^1].X)} takes longer "
            + $"than {Numbers.Brief(series.Points[^1].Y)} ms.",
            [series], new("one of so many operations takes longer", "ms", Logarithmic: true)) with
    {
        Note = "Lines show 95% intervals over the repeats.",
    };

    private static CurveSeries? Series(string name, IReadOnlyList<SizeFigure> figures) => figures.Count < 2
        ? null
        : new CurveSeries(name,
        [
            .. figures.Select(one => Point(
                one.Bytes / 1_024.0, one.RequestUnits,
                $"{Numbers.Brief(one.Bytes / 1_024.0)} KB: {Numbers.Brief(one.RequestUnits.Value)} RU")),
        ]);

    /// <summary>Quantiles from the median on. X is n where one of n operations takes longer: 2 at the median, 1,000 at p99.9.</summary>
    private static CurveSeries? Service(string name, ServiceFigures? service)
    {
        var quantiles = service?.Quantiles.Where(quantile => quantile.Probability >= 0.5).ToList() ?? [];
        return quantiles.Count < 2
            ? null
            : new CurveSeries($"{name}s on an idle partition",
            [
                .. quantiles.Select(quantile => Point(
                    Math.Round(1 / (1 - quantile.Probability), 2), quantile.Ms,
                    $"p{100 * quantile.Probability:0.##}: {Numbers.Brief(quantile.Ms.Value)} ms")),
            ]);
    }

    private static ChartPoint Point(double x, MeasuredFigure y, string title) => new(x, y.Value, title, new Interval(y.Low, y.High));
}
