using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace ScaleOut.DevBox.Processes;

/// <summary>
/// Sends the metrics and spans of <see cref="MetricsTelemetry"/> to a collector by OTLP. Data that cannot be sent is lost.
/// </summary>
internal sealed class OtlpExport : IDisposable
{
    /// <summary>The port of OTLP over HTTP; others speak gRPC.</summary>
    private const int HttpPort = 4318;

    private const string Service = "scaleout";

    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan FlushTimeout = TimeSpan.FromSeconds(5);

    private readonly MeterProvider _metrics;
    private readonly TracerProvider _traces;

    private OtlpExport(Uri collector, string instance)
    {
        var resource = ResourceBuilder.CreateEmpty().AddService(Service, serviceInstanceId: instance);
        _metrics = Sdk.CreateMeterProviderBuilder().SetResourceBuilder(resource).AddMeter(MetricsTelemetry.Name)
            .AddOtlpExporter((exporter, reader) =>
            {
                Set(exporter, collector, "v1/metrics");
                reader.PeriodicExportingMetricReaderOptions.ExportIntervalMilliseconds = (int)Interval.TotalMilliseconds;
            })
            .Build();
        _traces = Sdk.CreateTracerProviderBuilder().SetResourceBuilder(resource).AddSource(MetricsTelemetry.Name)
            .AddOtlpExporter(exporter => Set(exporter, collector, "v1/traces")).Build();
    }

    /// <summary>Begins to send.</summary>
    /// <param name="collector">Null for none: then the result is null, too.</param>
    /// <param name="instance">Name of this process among those of the run.</param>
    public static OtlpExport? To(Uri? collector, string instance) => collector is null ? null : new OtlpExport(collector, instance);

    /// <summary>Sends the buffered data, with a timeout of 5 s. Call it before the process ends.</summary>
    public void Flush()
    {
        _metrics.ForceFlush((int)FlushTimeout.TotalMilliseconds);
        _traces.ForceFlush((int)FlushTimeout.TotalMilliseconds);
    }

    public void Dispose()
    {
        _traces.Dispose();
        _metrics.Dispose();
    }

    private static void Set(OtlpExporterOptions options, Uri collector, string path)
    {
        var overHttp = collector.Port == HttpPort;
        options.Protocol = overHttp ? OtlpExportProtocol.HttpProtobuf : OtlpExportProtocol.Grpc;
        options.Endpoint = overHttp ? new Uri($"{collector.AbsoluteUri.TrimEnd('/')}/{path}") : collector;
    }
}
