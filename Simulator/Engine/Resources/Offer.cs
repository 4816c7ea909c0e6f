using System.Globalization;
using System.Text;
using System.Text.Json;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>A container's or a database's throughput: provisioned, or with autoscale a maximum.</summary>
internal sealed record Offer
{
    private const int SmallestAutoscale = 1_000;

    public required int Throughput { get; init; }

    public required bool Autoscale { get; init; }

    /// <summary>The most that there was before it; 0 for a new one.</summary>
    public int HighestBefore { get; init; }

    /// <summary>The throughput buckets, by id. Null says nothing of them: there are none, or a replacement keeps them.</summary>
    public IReadOnlyList<ThroughputBucket>? Buckets { get; init; }

    private int Step => Autoscale ? 1_000 : 100;

    /// <summary>The offer that a creation's headers ask for; 400 RU/s when they ask for none.</summary>
    /// <param name="throughput">Header <c>x-ms-offer-throughput</c>.</param>
    /// <param name="autopilot">Header <c>x-ms-cosmos-offer-autopilot-settings</c>: <c>{"maxThroughput": n}</c>.</param>
    /// <exception cref="RequestException">400: not a number, out of range, not on a step, or both.</exception>
    public static Offer FromHeaders(string? throughput, string? autopilot)
    {
        if (throughput is not null && autopilot is not null)
            throw RequestException.BadRequest("Throughput and autoscale settings cannot both be given.");
        if (autopilot is not null)
        {
            return RequestException.ReadJson(
                Encoding.UTF8.GetBytes(autopilot), "The autoscale settings are no object with a maxThroughput.",
                settings => Create(settings.GetProperty("maxThroughput").GetInt32(), autoscale: true));
        }

        if (throughput is null)
            return Create(ContainerSpec.LeastThroughput, autoscale: false);
        return int.TryParse(throughput, NumberStyles.None, CultureInfo.InvariantCulture, out int value)
            ? Create(value, autoscale: false)
            : throw RequestException.BadRequest($"The offer throughput '{throughput}' is no whole number.");
    }

    /// <summary>The offer that a replacement asks for.</summary>
    /// <param name="json">The offer, which names itself.</param>
    /// <param name="rid">Resource id of the offer that is replaced.</param>
    /// <exception cref="RequestException">400.</exception>
    public static Offer Parse(ReadOnlyMemory<byte> json, string rid) =>
        RequestException.ReadJson(
            json, $"The request payload is no offer with a content and '{rid}' as its id and _rid.",
            root => root.GetProperty("id").GetString() == rid && root.GetProperty("_rid").GetString() == rid
                ? FromContent(root.GetProperty("content")) : throw new FormatException());

    /// <summary>This offer in the place of a former one.</summary>
    /// <param name="former">What the throughput is now.</param>
    /// <param name="gigabytes">What is stored under it.</param>
    /// <exception cref="RequestException">400: it is less than <see cref="LeastFor"/>.</exception>
    public Offer Replacing(Offer former, double gigabytes)
    {
        Offer next = this with
        {
            HighestBefore = Math.Max(former.HighestBefore, former.Throughput), Buckets = Buckets ?? former.Buckets,
        };
        return next.Checked(next.LeastFor(gigabytes));
    }

    /// <summary>
    /// Least throughput that it may be changed to: 400 RU/s, 1 RU/s for each GB, a hundredth of the highest that there ever was; of
    /// autoscale's maximum 1,000, 10 and a tenth ("Azure Cosmos DB service quotas"). That it is rounded up to a step is assumed.
    /// </summary>
    public int LeastFor(double gigabytes)
    {
        (int least, int perGigabyte, int share) = Autoscale ? (SmallestAutoscale, 10, 10) : (ContainerSpec.LeastThroughput, 1, 100);
        double asked = Math.Max(gigabytes * perGigabyte, Math.Max(HighestBefore, Throughput) / (double)share);
        return Math.Clamp((int)Math.Ceiling(asked / Step) * Step, least, ContainerSpec.MostThroughput);
    }

    private static Offer FromContent(JsonElement content)
    {
        IReadOnlyList<ThroughputBucket>? buckets = ReadBuckets(content);
        if (content.ValueKind == JsonValueKind.Object)
        {
            if (content.TryGetProperty("offerAutopilotSettings", out JsonElement settings) && settings.ValueKind == JsonValueKind.Object
                && settings.TryGetProperty("maxThroughput", out JsonElement maximum) && maximum.TryGetInt32(out int max))
                return Create(max, autoscale: true) with { Buckets = buckets };
            if (content.TryGetProperty("offerThroughput", out JsonElement throughput) && throughput.TryGetInt32(out int value))
                return Create(value, autoscale: false) with { Buckets = buckets };
        }

        throw RequestException.BadRequest("The offer's content has neither an offerThroughput nor autoscale settings.");
    }

    private static ThroughputBucket[]? ReadBuckets(JsonElement content)
    {
        if (content.ValueKind != JsonValueKind.Object || !content.TryGetProperty("throughputBuckets", out JsonElement list))
            return null;
        ThroughputBucket[] buckets =
        [
            .. list.EnumerateArray()
                .Select(one => new ThroughputBucket(
                    one.GetProperty("id").GetInt32(), one.GetProperty("maxThroughputPercentage").GetInt32()))
                .OrderBy(bucket => bucket.Id),
        ];
        return buckets.All(bucket => bucket is { Id: >= 1 and <= ThroughputBucket.LargestId, MaxThroughputPercentage: >= 1 and <= 100 })
            && buckets.DistinctBy(bucket => bucket.Id).Count() == buckets.Length
            ? buckets
            : throw RequestException.BadRequest(
                $"Throughput buckets have ids from 1 to {ThroughputBucket.LargestId}, each once, "
                + "and a maxThroughputPercentage from 1 to 100.");
    }

    private static Offer Create(int throughput, bool autoscale) =>
        new Offer { Throughput = throughput, Autoscale = autoscale }
            .Checked(autoscale ? SmallestAutoscale : ContainerSpec.LeastThroughput);

    private Offer Checked(int least) =>
        Throughput >= least && Throughput <= ContainerSpec.MostThroughput && Throughput % Step == 0
        ? this
        : throw RequestException.BadRequest(
            $"The offer should have valid throughput values between {least} and {ContainerSpec.MostThroughput} inclusive "
            + $"in increments of {Step}, not {Throughput}.");
}
