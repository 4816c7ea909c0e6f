namespace ScaleOut.Analysis.Calibration;

/// <summary>The figures of a profile in rows, each with its interval and its number of runs.</summary>
internal static class ProfileTables
{
    public static IEnumerable<ReportPart> From(AccountProfile profile)
    {
        var (charges, latency, throttling) = (profile.Charges, profile.Latency, profile.Throttling);
        yield return ReportPart.From(About(profile));
        yield return Figures("Charges, RU",
        [
            .. charges.Reads.Select(one => new Row($"Point read, {Kilobytes(one.Bytes)}", one.RequestUnits)),
            .. charges.Writes.Select(one => new Row($"Create, {Kilobytes(one.Bytes)}, no index entries", one.RequestUnits)),
            new("Index entry of a write", charges.PerIndexEntry),
        ]);
        if (charges.Checks.Count > 0)
            yield return ReportPart.From(Checks(charges));
        yield return Figures("Latency, ms",
        [
            new("Network round trip", latency.RoundTripMs),
            new("Gateway's hop", latency.GatewayHopMs),
            .. Service("Write", latency.Write),
            .. Service("Read", latency.Read),
            new("Each KB beyond the first", latency.PerKilobyteMs),
            new("Each operation of a batch beyond the first", latency.PerBatchOperationMs),
        ], "Service times are without the round trip, of the smallest documents. The round trip holds what the client and its SDK take.");
        yield return Figures("Throttling",
        [
            new("Shortest retry-after, ms", throttling.RetryAfterMinMs),
            new("Longest retry-after, ms", throttling.RetryAfterMaxMs),
            new("RU that one partition admits in a second", throttling.AdmittedPerSecond),
            new($"RU beyond that after {Numbers.Brief(throttling.IdleSeconds)} s without load", throttling.BurstRequestUnits),
        ]);
    }

    private static TextTable About(AccountProfile profile) => TextTable.OfValues("Account", "What", "Value",
    [
        ("Account", profile.Account),
        ("Region", profile.Region ?? Numbers.Unknown),
        ("Consistency", profile.Consistency ?? Numbers.Unknown),
        ("Measured", Numbers.Instant(profile.MeasuredAt)),
        ("Experiment", profile.Experiment),
        ("Cosmos SDK", profile.SdkVersion ?? Numbers.Unknown),
        ("RU charged", Numbers.Brief(profile.RequestUnits)),
        .. profile.Layout.Select(one =>
            ($"Physical partitions at {Numbers.Count(one.Throughput)} RU/s", (string?)Numbers.Count(one.Partitions))),
    ]) with
    {
        OnConsole = false,
    };

    private static TextTable Checks(ChargeFigures charges) => new Columns<ChargeCheck>()
        .Text("Operation", check => check.Name)
        .Number("Measured", check => check.Measured)
        .Number("Predicted", check => check.Predicted)
        .Share("Error", check => Math.Abs((check.Predicted / check.Measured) - 1))
        .Table("Charges that no figure is made from, RU", charges.Checks, console: false);

    private static IEnumerable<Row> Service(string name, ServiceFigures? service) =>
        service is null
            ? []
            :
            [
                new($"{name}: median service time", service.MedianMs),
                .. service.Quantiles.Select(quantile => new Row($"{name}: p{100 * quantile.Probability:0.##}", quantile.Ms)),
            ];

    private static ReportPart Figures(string title, IEnumerable<Row> rows, string? note = null) => ReportPart.From(new Columns<Row>()
        .Text("Figure", row => row.Name)
        .Figure("Value", row => row.Figure is { } figure ? Numbers.Brief(figure.Value) : "not measured")
        .Figure("95% interval", row => row.Figure is { } figure ? $"{Numbers.Brief(figure.Low)} to {Numbers.Brief(figure.High)}" : "")
        .Figure("Runs", row => row.Figure is { } figure ? Numbers.Count(figure.Count) : "")
        .Table(title, rows, note));

    private static string Kilobytes(long bytes) => $"{Numbers.Brief(bytes / 1_024.0)} KB";

    /// <param name="Figure">Null if it was not measured.</param>
    private sealed record Row(string Name, MeasuredFigure? Figure);
}
