namespace ScaleOut.Simulator.Engine.Resources;

/// <summary>A container's or a database's throughput: provisioned, or the maximum of autoscale.</summary>
internal sealed record Offer
{
    private const int MinAutoscale = 1_000;

    public required int Throughput { get; init; }

    public required bool Autoscale { get; init; }

    /// <summary>The highest throughput before this offer; 0 for a new one.</summary>
    public int HighestBefore { get; init; }

    /// <summary>Throughput buckets, sorted by id. Null if the offer names none: a replacement then keeps the former ones.</summary>
    public IReadOnlyList<ThroughputBucket>? Buckets { get; init; }

    private int Step => Autoscale ? 1_000 : 100;

    /// <summary>The offer of a creation's headers.</summary>
    /// <param name="fallback">RU/s without any header.</param>
    /// <exception cref="RequestException">400: not a number, out of range, not on a step, or both headers.</exception>
    public static Offer FromHeaders(string? throughput, string? autopilot, int fallback = ContainerSpec.MinThroughput)
    {
        if (throughput is not null && autopilot is not null)
            throw RequestException.BadRequest("Throughput and autoscale settings cannot both be given.");
        if (autopilot is not null)
        {
            return RequestException.ReadJson(
                Encoding.UTF8.GetBytes(autopilot), "The autoscale settings are not an object with a maxThroughput.",
                settings => CreateAutoscale(settings, settings.GetProperty("maxThroughput").GetInt32()));
        }

        if (throughput is null)
            return Create(fallback, autoscale: false);
        return int.TryParse(throughput, NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            ? Create(value, autoscale: false)
            : throw RequestException.BadRequest($"The offer throughput '{throughput}' is not a whole number.");
    }

    /// <summary>The offer of a replacement.</summary>
    /// <param name="rid">Resource id of the offer that is replaced.</param>
    public static Offer Parse(ReadOnlyMemory<byte> json, string rid) =>
        RequestException.ReadJson(
            json, $"The request payload is no offer with a content and '{rid}' as its id and _rid.",
            root => root.GetProperty("id").GetString() == rid && root.GetProperty("_rid").GetString() == rid
                ? FromContent(root.GetProperty("content")) : throw new FormatException());

    /// <summary>This offer in place of a former one.</summary>
    /// <exception cref="RequestException">
    /// 400: it is below <see cref="MinThroughputFor"/>, or fixed instead of autoscale or the other way round.
    /// </exception>
    public Offer Replacing(Offer former, double gigabytes)
    {
        if (Autoscale != former.Autoscale)
        {
            throw RequestException.BadRequest(
                $"Updating offer to {(Autoscale ? "autoscale" : "manually provisioned")} throughput is not allowed. "
                + "Please invoke migration API to migrate this offer.");
        }

        var next = this with
        {
            HighestBefore = Math.Max(former.HighestBefore, former.Throughput),
            Buckets = Buckets ?? former.Buckets,
        };
        return next.Checked(next.MinThroughputFor(gigabytes));
    }

    /// <summary>
    /// This offer as autoscale, or as fixed throughput. The maximum of autoscale becomes the throughput, and the throughput becomes the
    /// maximum, rounded up to a step and at least <see cref="MinThroughputFor"/> ("Frequently asked questions about autoscale").
    /// </summary>
    public Offer Migrated(bool toAutoscale, double gigabytes)
    {
        var next = this with { Autoscale = toAutoscale, HighestBefore = Math.Max(HighestBefore, Throughput) };
        var rounded = (int)Math.Ceiling(Throughput / (double)next.Step) * next.Step;
        return next with { Throughput = Math.Max(rounded, next.MinThroughputFor(gigabytes)) };
    }

    /// <summary>
    /// The lowest throughput: the largest of 400 RU/s, 1 RU/s for each GB, and a hundredth of the highest throughput ever. For autoscale's
    /// maximum these are 1,000 RU/s, 10 RU/s and a tenth ("Azure Cosmos DB service quotas"). Rounding up to a step is assumed.
    /// </summary>
    public int MinThroughputFor(double gigabytes)
    {
        (var least, var perGigabyte, var share) = Autoscale ? (MinAutoscale, 10, 10) : (ContainerSpec.MinThroughput, 1, 100);
        var asked = Math.Max(gigabytes * perGigabyte, Math.Max(HighestBefore, Throughput) / (double)share);
        return Math.Clamp((int)Math.Ceiling(asked / Step) * Step, least, ContainerSpec.MaxThroughput);
    }

    private static Offer FromContent(JsonElement content)
    {
        IReadOnlyList<ThroughputBucket>? buckets = ReadBuckets(content);
        if (content.ValueKind == JsonValueKind.Object)
        {
            if (content.TryGetProperty("offerAutopilotSettings", out var settings) && settings.ValueKind == JsonValueKind.Object
                && settings.TryGetProperty("maxThroughput", out var maximum) && maximum.TryGetInt32(out var max))
                return CreateAutoscale(settings, max) with { Buckets = buckets };
            if (content.TryGetProperty("offerThroughput", out var throughput) && throughput.TryGetInt32(out var value))
                return Create(value, autoscale: false) with { Buckets = buckets };
        }

        throw RequestException.BadRequest("The offer's content has neither an offerThroughput nor autoscale settings.");
    }

    private static ThroughputBucket[]? ReadBuckets(JsonElement content)
    {
        if (content.ValueKind != JsonValueKind.Object || !content.TryGetProperty("throughputBuckets", out var list))
            return null;
        ThroughputBucket[] buckets =
        [
            .. list.EnumerateArray()
                .Select(one => new ThroughputBucket(
                    one.GetProperty("id").GetInt32(), one.GetProperty("maxThroughputPercentage").GetInt32()))
                .OrderBy(bucket => bucket.Id),
        ];
        return buckets.All(bucket => bucket is { Id: >= 1 and <= ThroughputBucket.MaxId, MaxThroughputPercentage: >= 1 and <= 100 })
            && buckets.DistinctBy(bucket => bucket.Id).Count() == buckets.Length
            ? buckets
            : throw RequestException.BadRequest(
                $"Throughput buckets have ids from 1 to {ThroughputBucket.MaxId}, each once, "
                + "and a maxThroughputPercentage from 1 to 100.");
    }

    private static Offer CreateAutoscale(JsonElement settings, int maxThroughput) =>
        settings.TryGetProperty("autoUpgradePolicy", out var policy) && policy.ValueKind != JsonValueKind.Null
            ? throw RequestException.BadRequest("Automatic increases of autoscale's maximum (autoUpgradePolicy) are not simulated.")
            : Create(maxThroughput, autoscale: true);

    private static Offer Create(int throughput, bool autoscale) =>
        new Offer { Throughput = throughput, Autoscale = autoscale }
            .Checked(autoscale ? MinAutoscale : ContainerSpec.MinThroughput);

    private Offer Checked(int least) =>
        Throughput >= least && Throughput <= ContainerSpec.MaxThroughput && Throughput % Step == 0
        ? this
        : throw RequestException.BadRequest(
            $"The offer should have valid throughput values between {least} and {ContainerSpec.MaxThroughput} inclusive "
            + $"in increments of {Step}, not {Throughput}.");
}

/// <summary>A container or database with its own throughput.</summary>
internal interface IOfferOwner
{
    /// <summary>Place in lists: databases by number, then containers by number.</summary>
    long Order { get; }

    string OfferRid { get; }

    /// <summary>Null without its own throughput.</summary>
    Offer? OwnOffer { get; }

    /// <summary>The stored data, as the limits count them.</summary>
    double StoredGigabytes { get; }

    /// <summary>Whether partitions are still to be split for the last replacement.</summary>
    bool IsReplacePending => false;

    /// <summary>Changes with every replacement of the offer.</summary>
    int Revision { get; }

    string Rid { get; }

    /// <summary>Path by resource ids, with a slash at its end.</summary>
    string SelfLink { get; }

    long TimestampSeconds { get; }

    /// <exception cref="RequestException">400: throughput buckets of a database; 429: buckets changed too often.</exception>
    void Rescale(Offer offer);
}
