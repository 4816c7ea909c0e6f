namespace ScaleOut.Sizing;

/// <summary>
/// The partitions and RU/s that a container needs for its stored documents. Source: Azure Cosmos DB documentation, "Service quotas" and
/// "Autoscale FAQ": 1 RU/s for each GB, for autoscale's highest RU/s 10; 20 GB for a logical partition; 50 GB for a physical one.
/// </summary>
internal static class StorageNeeds
{
    private const int MinAutoscale = 1_000;
    private const int FixedStep = 100;
    private const int AutoscaleStep = 1_000;

    /// <summary>The fewest RU/s that a container with so many gigabytes can have.</summary>
    public static int MinThroughput(double gigabytes, bool autoscale) => autoscale
        ? Math.Max(MinAutoscale, RoundUp(gigabytes * 10, autoscale))
        : Math.Max(ContainerSpec.MinThroughput, RoundUp(gigabytes, autoscale));

    /// <summary>The next RU/s that can be bought, at most as many as an integer holds.</summary>
    public static int RoundUp(double throughput, bool autoscale)
    {
        var step = StepOf(autoscale);
        return (int)Math.Min(int.MaxValue / step * (double)step, Math.Ceiling((throughput / step) - 1e-9) * step);
    }

    public static int StepOf(bool autoscale) => autoscale ? AutoscaleStep : FixedStep;

    /// <summary>Physical partitions that so many gigabytes fill.</summary>
    public static int PartitionsFor(double gigabytes) =>
        (int)Math.Max(1, Math.Ceiling(gigabytes / CosmosLimits.MaxGigabytesPerPartition));
}

/// <summary>What is stored after the documents' retention, and what follows from it.</summary>
public sealed record StorageGrowth
{
    private const double BytesPerGigabyte = 1e9;

    /// <summary>Days for which the figures of documents that are never deleted are given.</summary>
    public const double DaysOfNone = 30;

    /// <summary>How long documents are kept, days; null if they are never deleted, or for a load of a fixed number of documents.</summary>
    public double? RetentionDays { get; init; }

    /// <summary>
    /// What the rate adds each day, that of the hours beside a peak included. 0 for reads, patches and deletes, and for a load of a fixed
    /// number of documents.
    /// </summary>
    public required double GigabytesPerDay { get; init; }

    /// <summary>
    /// Gigabytes of documents that are stored at the end of the retention, or after <see cref="DaysOfNone"/> days if nothing is deleted.
    /// </summary>
    public required double Gigabytes { get; init; }

    /// <summary>Gigabytes that are there from the first day on, or at the end of a load.</summary>
    public required double GigabytesAtOnce { get; init; }

    /// <summary>Physical partitions that are filled from the first day on.</summary>
    [JsonIgnore]
    public int PartitionsAtOnce { get; init; }

    /// <summary>Physical partitions that are filled then, with at most 50 GB each.</summary>
    public required int Partitions { get; init; }

    /// <summary>The fewest RU/s that the storage permits then.</summary>
    public required int MinThroughput { get; init; }

    /// <summary>Documents that expire in a second, once as many are kept as the retention holds; 0 if none expire.</summary>
    [JsonIgnore]
    public double ExpiringPerSecond { get; init; }

    /// <summary>Whether documents come that are not stored at the start.</summary>
    public bool Adds => Gigabytes > GigabytesAtOnce;

    /// <summary>The fewest highest RU/s of autoscale that the storage permits then.</summary>
    public required int MinAutoscaleThroughput { get; init; }

    /// <summary>The key whose logical partition becomes full; null if none does.</summary>
    public FullKey? FullKey { get; init; }

    /// <summary>
    /// The fleet that holds the rate then; null if the first one does, because it has as many partitions and no queries, or if none holds.
    /// </summary>
    public TriedFleet? Fleet { get; init; }

    /// <summary>Whether <see cref="Fleet"/> was looked for.</summary>
    [JsonIgnore]
    public bool IsSoughtAgain { get; init; }

    /// <summary>Whether the container splits into more partitions than it begins with.</summary>
    public bool Splits { get; init; }

    internal static StorageGrowth From(FleetBasis basis, SizeQuestion question, KeySpread keys)
    {
        var spec = basis.Spec;
        var writes = spec.Workload.Action is { } steps ? Math.Max(0, steps.Sum(step => step.Rise()))
            : spec.Workload.Shares.Where(one => AddsDocuments(one.Kind)).Sum(one => one.Share);
        var (added, average) = (question.Within is null ? question.Rate * writes : 0, question.Day?.AverageShare ?? 1);
        var atRate = added * basis.BytesPerDocument / BytesPerGigabyte;
        var perSecond = atRate * average;
        var days = question.Retention?.TotalDays ?? DaysOfNone;
        var atOnce = question.ExistingDocuments(spec) * (double)basis.BytesPerDocument / BytesPerGigabyte;
        var kept = atRate * 3_600 * (question.Day?.MostHoursIn(days) ?? (days * DailyLoad.Hours));
        var total = atOnce + kept;
        return new StorageGrowth
        {
            RetentionDays = question.Within is null ? question.Retention?.TotalDays : null,
            GigabytesPerDay = perSecond * 86_400,
            Gigabytes = total,
            GigabytesAtOnce = atOnce,
            PartitionsAtOnce = keys.PartitionsFor(atOnce),
            ExpiringPerSecond = question.Retention > TimeSpan.Zero ? added * average : 0,
            Partitions = keys.PartitionsFor(total),
            MinThroughput = StorageNeeds.MinThroughput(total, autoscale: false),
            MinAutoscaleThroughput = StorageNeeds.MinThroughput(total, autoscale: true),
            FullKey = FullKeyOf(),
        };

        FullKey? FullKeyOf()
        {
            if (keys.Largest is not { } busiest || (perSecond == 0 && question.Within is null))
                return null;
            // Documents that are never deleted fill every key in the end; the month says which does so soon.
            var least = busiest.LeastShare;
            if (least * total <= CosmosLimits.MaxGigabytesPerKey)
                return null;
            var path = spec.Container.KeyTextFor(spec.Document);
            var left = (CosmosLimits.MaxGigabytesPerKey / busiest.Share) - atOnce;
            return new FullKey(path, spec.Container.KeyPathsFor(spec.Document).Count, busiest.Value, busiest.Share, busiest.Share * total)
            {
                FullAfterSeconds = question.Within is { } within
                    ? CosmosLimits.MaxGigabytesPerKey / (busiest.Share * total) * within.TotalSeconds
                    : Math.Max(0, left / perSecond),
            };
        }
    }

    /// <summary>Whether operations of a kind add documents, rather than work on those that exist.</summary>
    public static bool AddsDocuments(WorkloadKind kind) =>
        kind is WorkloadKind.Insert or WorkloadKind.Upsert or WorkloadKind.Bulk or WorkloadKind.Batch;
}

/// <summary>A partition key value whose documents fill its logical partition.</summary>
/// <param name="Path">Path of the partition key, or its levels.</param>
/// <param name="Levels">Number of levels, 1 for a key that is not hierarchical.</param>
/// <param name="Value">The key's value.</param>
/// <param name="Share">Its share of the writes.</param>
/// <param name="Gigabytes">What it would have to store.</param>
public sealed record FullKey(string Path, int Levels, string Value, double Share, double Gigabytes)
{
    /// <summary>When it is full, from the start.</summary>
    public double FullAfterSeconds { get; init; }

    /// <summary>What happens, as a sentence.</summary>
    public string Text => $"{Path} {ErrorText.Quote(Value)} has {Numbers.Percent(Share)} of the writes: {CosmosLimits.MaxGigabytesPerKey} "
        + $"GB after {Numbers.About(FullAfterSeconds)}; then every write to it fails with 403, sub-status 1014";

    /// <summary>What would help, as a sentence.</summary>
    public string Advice => Levels < MaxLevels
        ? $"A hierarchical partition key ({Path}, /id) spreads one value of {Path} over many logical partitions, so that it can grow "
            + "beyond 20 GB."
        : $"A last level with more values, such as /id, spreads one value of {Path} over many logical partitions, so that it can grow "
            + "beyond 20 GB.";

    private const int MaxLevels = 3;
}
