namespace ScaleOut.Analysis.Reports.Building;

/// <summary>Adds up the counts of legs.</summary>
internal static class ReportCounts
{
    public static ReportedDocuments Documents(WorkloadSpec workload, long asked, IReadOnlyList<LegResult> legs, long? verified = null)
    {
        var counts = Counts.Sum(legs.Select(leg => leg.Counts));
        return new()
        {
            Asked = asked,
            Inserted = counts.Inserted,
            AlreadyPresent = counts.AlreadyPresent,
            Failed = counts.Failed,
            Remaining = asked - counts.Done,
            Verified = verified,
            Rise = legs.Any(leg => leg.Kinds.Count > 0)
                ? legs.SelectMany(leg => leg.Kinds).Sum(part => workload.RiseOf(part.Part, part.Counts))
                    + legs.GroupBy(leg => leg.Output.Worker).Sum(own => own.MaxBy(leg => leg.Output.Leg)!.UnfinishedRise)
                : null,
        };
    }

    /// <summary>As <see cref="RunReport.DocumentBytes"/>.</summary>
    public static double? DocumentBytes(IReadOnlyList<LegResult> legs)
    {
        var counts = Counts.Sum(legs.Select(leg => leg.Counts));
        return counts.Bytes == 0 || counts.Inserted == 0 ? null : Math.Round(counts.Bytes / (double)counts.Inserted, 3);
    }

    public static ThrottledReport? ThrottledResponses(IReadOnlyList<LegResult> legs)
    {
        List<ThrottledSample> samples = [.. legs.Select(leg => leg.ThrottledResponses).OfType<ThrottledSample>()];
        return samples.Count == 0 ? null : new ThrottledReport(
            samples.Min(sample => sample.RetryAfterMinMs), samples.Max(sample => sample.RetryAfterMaxMs),
            LatencySummary.From(LatencyMerge.Merge(samples.Select(sample => sample.Latency))));
    }

    public static ReportedRequests Requests(IReadOnlyList<LegResult> legs)
    {
        var errors = new SortedDictionary<string, long>(StringComparer.Ordinal);
        foreach (var (status, count) in legs.SelectMany(leg => leg.OtherErrors))
            errors[status] = errors.GetValueOrDefault(status) + count;
        var calls = legs.Any(leg => leg.Calls is null) ? null : legs.Sum(leg => leg.Calls);
        var items = legs.Any(leg => leg.Items is null) ? null : legs.Sum(leg => leg.Items);
        var operations = legs.Sum(leg => leg.Operations);
        var waitMs = legs.Any(leg => leg.ThrottledWaitMs is null) ? null : legs.Sum(leg => leg.ThrottledWaitMs);
        var operationMs = legs.Sum(leg => leg.OperationLatency.SumMicroseconds) / 1000.0;
        return new()
        {
            Operations = operations,
            Calls = legs.Count > 0 ? calls : null,
            CallsPerOperation = legs.Count > 0 && calls is { } sent ? Rounding.Ratio(sent, operations) : null,
            Items = legs.Count > 0 ? items : null,
            ItemsPerOperation = legs.Count > 0 && items is { } found ? Rounding.Ratio(found, operations) : null,
            Attempts = legs.Sum(leg => leg.Counts.Attempts),
            Throttled = legs.Sum(leg => leg.Counts.Throttled),
            OpeningThrottled = legs.Sum(leg => leg.OpeningThrottled),
            PreloadThrottled = legs.Sum(leg => leg.PreloadThrottled),
            ThrottledWaitShare = waitMs is { } waited && operationMs > 0 ? Math.Round(Math.Min(1, waited / operationMs), 4) : null,
            OtherErrors = errors.Values.Sum(),
            ErrorsByStatus = errors,
        };
    }
}
