namespace ScaleOut.Tests.Support.Runs;

internal static class SampleProfiles
{
    public static AccountProfile Create() => new()
    {
        Name = "orders-2026-11-20", MeasuredAt = new DateTimeOffset(2026, 11, 20, 8, 30, 15, TimeSpan.Zero),
        Account = "orders.documents.azure.com", Region = "West Europe", Consistency = "Eventual", SdkVersion = "3.1",
        RequestUnits = 400_000.25, Experiment = "nightly",
        Charges = new ChargeFigures
        {
            Reads = [new(1_024, Figure(1.5)), new(65_536, Figure(6.25))],
            Writes = [new(1_024, Figure(7.25)), new(65_536, Figure(30)), new(131_072, Figure(29.99))],
            PerIndexEntry = Figure(0.31),
            Checks = [new("delete, 1 KB", 7.26, 7.25)],
        },
        Latency = new LatencyFigures
        {
            RoundTripMs = Figure(3.5), GatewayHopMs = Figure(1.75), Write = Service(6), Read = Service(2.5), PerKilobyteMs = Figure(0.05),
        },
        Throttling = new ThrottlingFigures
        {
            RetryAfterMinMs = Figure(12), RetryAfterMaxMs = Figure(480), BurstRequestUnits = Figure(20_000), IdleSeconds = 10,
        },
        Layout = [new(2_000, 3), new(12_000, 3)],
        Notes = ["a note"],
    };

    public static MeasuredFigure Figure(double value) => new(value, value - 0.01, value + 0.01, 100);

    private static ServiceFigures Service(double median) => new()
    {
        MedianMs = Figure(median),
        Quantiles = [.. new[] { 0.1, 0.5, 0.9, 0.99, 0.999 }.Select(p => new QuantileFigure(p, Figure(median * (0.5 + p))))],
    };
}
