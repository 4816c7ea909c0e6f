namespace ScaleOut.Analysis.Calibration;

/// <summary>Makes the profile of an account from the reports of an experiment.</summary>
public static class ProfileBuilder
{
    /// <summary>What no experiment measures.</summary>
    private const string NeverMeasured =
        "Not measured by any experiment: patches, queries, the growth of latency with load. They keep the spec's values or the defaults.";

    /// <summary>The requests of docs/charges.md, whose charges no rounding hides.</summary>
    private const string DecidingRequests = "Three requests can check it, in a container with the partition key /pk: create "
        + """{"id":"1","pk":"a","name":"b"} costs 6.29 RU, its replace by {"id":"1","pk":"a","name":"c"} a second later 10.67, """
        + "and the same create with indexing mode none 4.95. plans/charges.json asks for them and more.";

    /// <summary>
    /// Makes the profile. Its notes name each figure that the experiment did not measure, and the runs that could not be used.
    /// </summary>
    /// <returns>The profile, or the reason why none can be made.</returns>
    public static (AccountProfile? Profile, string? Reason) From(
        ExperimentReport experiment, IReadOnlyDictionary<string, RunReport> reports)
    {
        List<RunDigest> all = [.. experiment.Variants.SelectMany(variant => variant.Runs)];
        List<ProfileRun> runs =
        [
            .. all.Where(run => run.State == RunState.Complete && reports.ContainsKey(run.RunId))
                .Select(run => new ProfileRun(run.Repeat, reports[run.RunId]))
                .Where(run => !run.Report.Emulated && !run.Spec.Workload.Kind.UsesTables()),
        ];
        if (runs.Count == 0)
            return (null, "none of its runs is complete and went to an account of Cosmos DB or to the simulated account");
        if (runs.Select(run => JsonSerializer.Serialize(run.Spec.Simulation, ScaleOutJson.Compact)).Distinct().Count() > 1)
            return (null, "its variants have simulated accounts with different physics");

        var account = runs.Select(run => run.Report.Account).OfType<AccountFacts>().FirstOrDefault();
        var host = account?.Host ?? "unknown";
        var sizes = new DocumentSizes(runs);
        var profile = new AccountProfile
        {
            Name = $"{host.Split('.')[0]}-{experiment.FinishedAt:yyyy-MM-dd}",
            MeasuredAt = experiment.FinishedAt,
            Account = host,
            Region = account?.Region,
            Consistency = account?.Consistency.ToString(),
            SdkVersion = account?.SdkVersion,
            Experiment = experiment.Id,
            RequestUnits = Math.Round(runs.Sum(run => run.ChargedInAll), 2),
            Charges = ProfileCharges.From(runs, sizes),
            Latency = ProfileLatency.From(runs, sizes),
            Throttling = ProfileThrottling.From(runs),
            Layout = ProfileThrottling.LayoutOf(runs),
        };
        profile = profile with { Charges = profile.Charges with { Checks = ProfileCharges.ChecksOf(profile, runs, sizes) } };
        return (profile with { Notes = [.. Notes(profile, runs, sizes, all.Count)] }, null);
    }

    private static IEnumerable<string> Notes(AccountProfile profile, List<ProfileRun> runs, DocumentSizes sizes, int all)
    {
        if (profile.Charges.Law is { } law)
        {
            yield return $"The account {(law.IsKept ? "keeps" : "does not keep")} to the law of the charges (docs/charges.md): of "
                + $"{Words.Amount(law.Charges, "measured charge")} of inserts, deletes and reads {Numbers.Count(law.Whole)} are whole "
                + $"21sts of a RU on each replica, and {Numbers.Count(law.Counted)} are what it counts.";
            yield return DecidingRequests;
        }

        foreach (var (name, needs) in Missing(profile))
            yield return $"Not measured: {name}. It needs {needs}.";
        yield return NeverMeasured;
        if (runs.Count < all)
            yield return $"{Numbers.Count(all - runs.Count)} of {Words.Amount(all, "run")} are not complete, and are in no figure.";
        List<string> late = [.. runs.Where(run => !run.KeptTime).Select(run => run.Report.Id)];
        if (late.Count > 0)
            yield return $"{Numbers.Count(late.Count)} of {Words.Amount(runs.Count, "run")} are in no figure of latency, because the "
                + $"client or its machine was too busy, such as {late[0]}.";
        if (runs.Any(run => run.Spec.Workload.Kind == WorkloadKind.Read && run.AsksTwoReplicas))
            yield return "Reads asked two replicas, as the account's consistency wants. Charges of reads are those of one, half of what "
                + "was charged; their latencies are those of two. Reads with client.consistency Session are measured without that.";
        if (ProfileLatency.SmallestOf(runs, sizes, WorkloadKind.Insert) is { } smallest && sizes.KilobytesOf(smallest) > 1)
            yield return $"Service times are of documents of {Numbers.Brief(sizes.KilobytesOf(smallest)!.Value)} KB, not of 1 KB.";
    }

    private static IEnumerable<(string Name, string Needs)> Missing(AccountProfile profile)
    {
        var (charges, latency, throttling) = (profile.Charges, profile.Latency, profile.Throttling);
        const string overBudget = "two repeats of a variant over its budget";
        (string Name, bool IsThere, string Needs)[] figures =
        [
            ("charges of point reads by size", charges.Reads.Count >= ChargeSpec.MinPoints,
                "two repeats of reads of documents of two sizes, and of inserts of the same documents"),
            ("charges of creates by size", charges.Writes.Count >= ChargeSpec.MinPoints,
                "two repeats of inserts of documents of two sizes without index entries"),
            ("charge of an index entry", charges.PerIndexEntry is not null,
                "two repeats of inserts of the same documents with and without index entries"),
            ("network round trip", latency.RoundTripMs is not null, $"{overBudget}, in Direct"),
            ("gateway's hop", latency.GatewayHopMs is not null, "two repeats of the same operations in Direct and in Gateway"),
            ("service time of writes", latency.Write is not null, "the round trip, and inserts in Direct below half of the budget"),
            ("service time of reads", latency.Read is not null, "the round trip, and reads in Direct below half of the budget"),
            ("ms per KB", latency.PerKilobyteMs is not null, "two repeats of inserts or reads of documents of two sizes in Direct"),
            ("ms per operation of a batch", latency.PerBatchOperationMs is not null,
                "ms per KB, and two repeats of inserts and of batches of the same documents in Direct"),
            ("retry-after", throttling.RetryAfterMinMs is not null, overBudget),
            ("RU that a partition admits in a second", throttling.AdmittedPerSecond is not null,
                $"{overBudget} on one partition, with two steps in a row"),
            ("burst credit", throttling.BurstRequestUnits is not null,
                $"{overBudget} on one partition, with a step without load between steps"),
            ("physical partitions", profile.Layout.Count > 0, "a run with a container of its own and no splits"),
        ];
        return figures.Where(figure => !figure.IsThere).Select(figure => (figure.Name, figure.Needs));
    }
}

/// <summary>A complete run of an experiment.</summary>
/// <param name="Repeat">Runs of one repeat were measured one after the other.</param>
internal sealed record ProfileRun(int Repeat, RunReport Report)
{
    public RunSpec Spec => Report.Spec;

    public ConnectionMode Mode => Spec.SettingsOf(0).ConnectionMode;

    /// <summary>Index entries of a document; -1 if the account did not keep the indexing mode that was asked for.</summary>
    public int IndexEntries { get; } = Report.KeptIndexing == false ? -1 : RunEstimate.IndexEntriesOf(Report.Spec).Total;

    /// <summary>Equal for runs with the same documents.</summary>
    public string DocumentKey { get; } = JsonSerializer.Serialize(Report.Spec.Document, ScaleOutJson.Compact);

    /// <summary>Whether every operation was done with one attempt, so that each was charged once.</summary>
    public bool IsUndisturbed => Report is { LostLegs: 0, Requests: { Throttled: 0, OtherErrors: 0, Operations: > 0 } }
        && Report.Documents is { AlreadyPresent: 0, Failed: 0 };

    /// <summary>Whether its latencies are the account's, and not those of a client or machine that was too busy.</summary>
    public bool KeptTime => Report.Delays is not { HaveSlipped: true } && Report.BoundBy is not (BoundBy.Client or BoundBy.Machine);

    public double RequestUnitsPerOperation => Report.RequestUnits.Total / Report.Requests.Operations;

    public double ChargedInAll => Report.RequestUnits.Total + Report.RequestUnits.Preload + Report.RequestUnits.Opening;

    /// <summary>Whether a read asks two replicas and is charged for both.</summary>
    public bool AsksTwoReplicas => (Spec.SettingsOf(0).Consistency ?? Report.Account?.Consistency)?.AsksTwoReplicas() == true;

    /// <summary>Latency of attempts at a probability; null if there are too few attempts.</summary>
    public double? LatencyAt(double probability) =>
        Report.LatencyMs.AttemptQuantiles.Where(one => one.Probability == probability).Select(one => (double?)one.Ms).FirstOrDefault();
}

/// <summary>Sizes of documents as the runs that wrote them measured them.</summary>
internal sealed class DocumentSizes(IEnumerable<ProfileRun> runs)
{
    private readonly Dictionary<string, double> _bytes = runs.Where(run => run.Report.DocumentBytes is not null)
        .GroupBy(run => run.DocumentKey)
        .ToDictionary(group => group.Key, group => group.Average(run => run.Report.DocumentBytes!.Value));

    /// <summary>Null if no run wrote such documents.</summary>
    public long? BytesOf(ProfileRun run) => _bytes.TryGetValue(run.DocumentKey, out var bytes) ? (long)Math.Round(bytes) : null;

    /// <inheritdoc cref="BytesOf"/>
    public double? KilobytesOf(ProfileRun run) => BytesOf(run) / 1024.0;
}

/// <summary>
/// Figures with 95% intervals over runs. A run is one block: its operations resemble each other, so they are no independent observations.
/// </summary>
internal static class Blocks
{
    private const double Confidence = 0.95;

    /// <summary>Rounding error of decimals in binary.</summary>
    private const double Epsilon = 1e-9;

    /// <summary>
    /// How far the end of a distribution can lie beyond the most extreme value of a sample, at 95%. The unit is the gap between the two
    /// most extreme values. P(19 gaps are not enough) = 1 / (1 + 19) (Robson and Whitlock, "Estimation of a truncation point",
    /// Biometrika 1964).
    /// </summary>
    private const int EndpointGaps = 19;

    /// <summary>The mean, with Student's t; null for fewer than two runs.</summary>
    /// <param name="reach">By how much all values may be off in the same direction. Widens the interval on both sides.</param>
    public static MeasuredFigure? Mean(IEnumerable<double> values, double reach = 0)
    {
        double[] blocks = [.. values];
        if (blocks.Length < 2)
            return null;
        var mean = blocks.Average();
        var variance = blocks.Sum(value => (value - mean) * (value - mean)) / (blocks.Length - 1);
        reach += (StudentQuantile.At(blocks.Length - 1, Confidence) * Math.Sqrt(variance / blocks.Length)) + Epsilon;
        return new MeasuredFigure(mean, mean - reach, mean + reach, blocks.Length);
    }

    /// <summary>The lower end of a distribution, from the least value of each run; null for fewer than two runs.</summary>
    public static MeasuredFigure? LowEnd(IEnumerable<double> least)
    {
        double[] sorted = [.. least.Order()];
        return sorted is [var first, var second, ..]
            ? new MeasuredFigure(first, Math.Max(0, first - (EndpointGaps * (second - first))), first, sorted.Length)
            : null;
    }

    /// <summary>The upper end of a distribution, from the largest value of each run; null for fewer than two runs.</summary>
    public static MeasuredFigure? HighEnd(IEnumerable<double> largest)
    {
        double[] sorted = [.. largest.OrderDescending()];
        return sorted is [var first, var second, ..]
            ? new MeasuredFigure(first, first, first + (EndpointGaps * (first - second)), sorted.Length)
            : null;
    }
}
