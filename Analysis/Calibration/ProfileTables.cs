namespace ScaleOut.Analysis.Calibration;

/// <summary>The figures of a profile in rows, each with its interval and its number of runs.</summary>
internal static class ProfileTables
{
    private static readonly IReadOnlyList<Column> Figures =
        [Column.From("Figure"), new("Value"), new("95% interval"), new("Runs")];

    public static IReadOnlyList<TextTable> From(AccountProfile profile)
    {
        return [About(profile), Charges(profile.Charges), .. Checks(profile.Charges), Latency(profile.Latency), Throttling(profile)];
    }

    private static TextTable About(AccountProfile profile) => new("Account", [Column.From("What"), Column.From("Value")],
    [
        ["Account", profile.Account],
        ["Region", profile.Region ?? Numbers.Unknown],
        ["Consistency", profile.Consistency ?? Numbers.Unknown],
        ["Measured", Numbers.Instant(profile.MeasuredAt)],
        ["Experiment", profile.Experiment],
        ["Cosmos SDK", profile.SdkVersion ?? Numbers.Unknown],
        ["RU charged", Numbers.Brief(profile.RequestUnits)],
        .. profile.Layout.Select(one => (IReadOnlyList<string>)
            [$"Physical partitions at {Numbers.Count(one.Throughput)} RU/s", Numbers.Count(one.Partitions)]),
    ]);

    private static TextTable Charges(ChargeFigures charges) => new("Charges, RU", Figures,
    [
        .. charges.Reads.Select(one => Row($"Point read, {Kilobytes(one.Bytes)}", one.RequestUnits)),
        .. charges.Writes.Select(one => Row($"Create, {Kilobytes(one.Bytes)}, no index entries", one.RequestUnits)),
        Row("Index entry of a write", charges.PerIndexedTerm),
    ]);

    private static IEnumerable<TextTable> Checks(ChargeFigures charges)
    {
        if (charges.Checks.Count > 0)
            yield return new(
                "Charges that no figure is made from, RU", [Column.From("Operation"), new("Measured"), new("Predicted"), new("Error")],
                [
                    .. charges.Checks.Select(check => (IReadOnlyList<string>)
                    [
                        check.Name, Numbers.Brief(check.Measured), Numbers.Brief(check.Predicted),
                        Numbers.Percent(Math.Abs((check.Predicted / check.Measured) - 1)),
                    ]),
                ]);
    }

    private static TextTable Latency(LatencyFigures latency) => new("Latency, ms", Figures,
        [
            Row("Network round trip", latency.RoundTripMs),
            Row("Gateway's hop", latency.GatewayHopMs),
            .. Service("Write", latency.Write),
            .. Service("Read", latency.Read),
            Row("Each KB beyond the first", latency.PerKilobyteMs),
            Row("Each operation of a batch beyond the first", latency.PerBatchOperationMs),
        ],
        "Service times are without the round trip, of the smallest documents. The round trip holds what the client and its SDK take.");

    private static IEnumerable<IReadOnlyList<string>> Service(string name, ServiceFigures? service) =>
        service is null
            ? []
            :
            [
                Row($"{name}: median service time", service.MedianMs),
                .. service.Quantiles.Select(quantile => Row($"{name}: p{Percent(quantile.Probability)}", quantile.Ms)),
            ];

    private static TextTable Throttling(AccountProfile profile)
    {
        var throttling = profile.Throttling;
        return new("Throttling", Figures,
            [
                Row("Shortest retry-after, ms", throttling.RetryAfterMinMs),
                Row("Longest retry-after, ms", throttling.RetryAfterMaxMs),
                Row("RU that one partition admits in a second", throttling.AdmittedPerSecond),
                Row($"RU beyond that after {Numbers.Brief(throttling.IdleSeconds)} s without load", throttling.BurstRequestUnits),
            ]);
    }

    private static string Kilobytes(long bytes) => $"{Numbers.Brief(bytes / 1_024.0)} KB";

    private static string Percent(double probability) => (100 * probability).ToString("0.##", CultureInfo.InvariantCulture);

    private static IReadOnlyList<string> Row(string name, MeasuredFigure? figure) => figure is null
        ? [name, "not measured", "", ""]
        :
        [
            name, Numbers.Brief(figure.Value), $"{Numbers.Brief(figure.Low)} to {Numbers.Brief(figure.High)}", Numbers.Count(figure.Count),
        ];
}
