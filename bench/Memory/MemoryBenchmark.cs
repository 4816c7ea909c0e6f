using ScaleOut.Workers.Documents;

namespace ScaleOut.Bench.Memory;

/// <summary>
/// Compares the peak memory of an account's process, with documents of each kind, with the value that <see cref="PeakMemoryEstimate"/>
/// calculates.
/// </summary>
public static class MemoryBenchmark
{
    private const int Partitions = 4;
    private const int Samples = 200;

    private static readonly (DocumentKind Kind, long Documents)[] Cases =
    [
        (DocumentKind.PerfTest, 1), (DocumentKind.PerfTest, 250_000), (DocumentKind.PerfTest, 1_000_000), (DocumentKind.Device, 250_000),
            (DocumentKind.Device, 750_000),
        (DocumentKind.Flights, 100_000), (DocumentKind.Flights, 300_000),
    ];

    public static async Task RunAsync()
    {
        Console.WriteLine("documents             number  bytes each  peak MiB  calculated MiB  calculated/peak");
        foreach (var (kind, documents) in Cases)
        {
            var (peak, bytes) = await MeasureAsync(new DocumentSpec { Kind = kind }, documents);
            var calculated = PeakMemoryEstimate.From(documents, bytes, Partitions, moving: 0);
            var (peakMiB, calculatedMiB) = (peak / 1048576.0, calculated / 1048576.0);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{kind,-16} {documents,11:N0} {bytes,11:N0} {peakMiB,9:N0} {calculatedMiB,15:N0} {calculatedMiB / peakMiB,16:N2}"));
        }
    }

    private static async Task<(long Peak, double BodyBytes)> MeasureAsync(DocumentSpec document, long documents)
    {
        using var server = await AccountServer.StartAsync(LatencyProfile.None);
        var target = await AccountServer.CreateContainerAsync(
            server.Ready.Connection, "memory", DocumentShape.From(document).DefaultPartitionKeyPath);
        await using var bench = new LegBench(server.Ready.Connection, target);
        await bench.RunAsync(
            new LegSettings(ConnectionMode.Direct, WorkloadKind.Bulk, InFlight: 1_000) { Document = document },
            TimeSpan.FromMinutes(20),
            documents);
        return (server.PeakWorkingSetBytes, BodyBytesOf(document, target.PartitionKeyPath));
    }

    private static double BodyBytesOf(DocumentSpec document, string keyPath)
    {
        var source = DocumentSources.For(document, "bench-1", [keyPath]);
        var buffer = new byte[source.MaxBytes];
        return Enumerable.Range(0, Samples).Average(number => source.Write(number, source.KeyOf(number), buffer));
    }
}
