using System.Buffers.Binary;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace ScaleOut.Tests.EndToEnd;

/// <summary>
/// An OpenTelemetry collector that keeps what it gets over gRPC: the last value of each series, because sums are cumulative, and the names
/// of spans. The numbers of fields are those of opentelemetry-proto 1.x.
/// </summary>
internal sealed class OtlpCollector : IAsyncDisposable
{
    private const int PrefixBytes = 5;

    private readonly WebApplication _app;
    private readonly ConcurrentDictionary<(string Name, string Attributes), (double Value, ulong Time)> _series = new();

    private OtlpCollector(WebApplication app) => _app = app;

    public Uri Address => new(_app.Urls.Single());

    /// <summary>Trace ids of the spans by their names.</summary>
    public ConcurrentQueue<(string Name, string TraceId)> Spans { get; } = new();

    public static async Task<OtlpCollector> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(
            options => options.Listen(System.Net.IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
        var app = builder.Build();
        var collector = new OtlpCollector(app);
        const string Package = "/opentelemetry.proto.collector";
        app.MapPost($"{Package}.metrics.v1.MetricsService/Export", context => RespondAsync(context, collector.TakeMetrics));
        app.MapPost($"{Package}.trace.v1.TraceService/Export", context => RespondAsync(context, collector.TakeSpans));
        await app.StartAsync();
        return collector;
    }

    /// <summary>Names of the metrics that came.</summary>
    public IReadOnlyCollection<string> Names => _series.Keys.Select(key => key.Name).ToHashSet();

    /// <summary>
    /// The sum of a metric over its series: of a counter its value, of a histogram its count. Only series with an attribute, such as
    /// <c>outcome=inserted</c>.
    /// </summary>
    public double Sum(string name, string attribute = "") => _series
        .Where(one => one.Key.Name == name && one.Key.Attributes.Contains($"{attribute}", StringComparison.Ordinal))
        .Sum(one => one.Value.Value);

    public async ValueTask DisposeAsync() => await _app.DisposeAsync();

    private static async Task RespondAsync(HttpContext context, Action<byte[]> take)
    {
        using var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body);
        take(body.ToArray()[PrefixBytes..]);
        context.Response.ContentType = "application/grpc";
        context.Response.DeclareTrailer("grpc-status");
        await context.Response.Body.WriteAsync(new byte[PrefixBytes]);
        context.Response.AppendTrailer("grpc-status", "0");
    }

    private void TakeMetrics(byte[] request)
    {
        foreach (var metric in Field.Each(request, 1).SelectMany(resource => resource.Each(2)).SelectMany(scope => scope.Each(2)))
        {
            var name = metric.Each(1).Single().Text;
            // Gauge 5 and sum 7 have points with a double 4 or an integer 6 and attributes 7, histogram 9 with a count 4 and attributes 9.
            foreach (var point in metric.Each(5).Concat(metric.Each(7)).SelectMany(data => data.Each(1)))
            {
                var integers = point.Each(6).Select(one => (double)(long)one.Fixed);
                Keep(name, point, point.Each(7), point.Each(4).Select(one => one.Double).Concat(integers));
            }

            foreach (var point in metric.Each(9).SelectMany(data => data.Each(1)))
                Keep(name, point, point.Each(9), point.Each(4).Select(one => (double)one.Fixed));
        }
    }

    private void Keep(string name, Field point, IEnumerable<Field> attributes, IEnumerable<double> values)
    {
        var texts = attributes.Select(one => $"{one.Each(1).Single().Text}={ValueOf(one.Each(2).Single())}");
        var key = string.Join(';', texts.Order(StringComparer.Ordinal));
        var (value, time) = (values.Single(), point.Each(3).Single().Fixed);
        _series.AddOrUpdate((name, key), (value, time), (_, before) => before.Time > time ? before : (value, time));
    }

    private static string ValueOf(Field any) =>
        any.Each(1).Select(one => one.Text).Concat(any.Each(3).Select(one => one.Fixed.ToString(CultureInfo.InvariantCulture))).Single();

    private void TakeSpans(byte[] request)
    {
        foreach (var span in Field.Each(request, 1).SelectMany(resource => resource.Each(2)).SelectMany(scope => scope.Each(2)))
            Spans.Enqueue((span.Each(5).Single().Text, Convert.ToHexStringLower(span.Each(1).Single().Bytes)));
    }

    /// <summary>One field of a protobuf message.</summary>
    /// <param name="Fixed">A varint or a fixed number.</param>
    private sealed record Field(int Number, ulong Fixed, byte[] Bytes)
    {
        public string Text => System.Text.Encoding.UTF8.GetString(Bytes);

        public double Double => BitConverter.UInt64BitsToDouble(Fixed);

        public IEnumerable<Field> Each(int number) => Each(Bytes, number);

        public static IEnumerable<Field> Each(byte[] message, int number)
        {
            for (var at = 0; at < message.Length;)
            {
                var tag = Varint(message, ref at);
                var (bytes, value) = (Array.Empty<byte>(), 0ul);
                switch (tag & 7)
                {
                    case 0:
                        value = Varint(message, ref at);
                        break;
                    case 1:
                        value = BinaryPrimitives.ReadUInt64LittleEndian(message.AsSpan(at));
                        at += 8;
                        break;
                    case 2:
                        var length = (int)Varint(message, ref at);
                        bytes = message[at..(at + length)];
                        at += length;
                        break;
                    case 5:
                        at += 4;
                        break;
                    default:
                        throw new InvalidDataException($"wire type {tag & 7}");
                }

                if ((int)(tag >> 3) == number)
                    yield return new Field(number, value, bytes);
            }
        }

        private static ulong Varint(byte[] message, ref int at)
        {
            var value = 0ul;
            for (var shift = 0; ; shift += 7)
            {
                var next = message[at++];
                value |= (ulong)(next & 0x7F) << shift;
                if (next < 0x80)
                    return value;
            }
        }
    }
}
