namespace ScaleOut.DevBox.Accounts;

/// <summary>
/// The comparison of a run's report with the simulated account's own ledger. The work of lost legs, and of operations whose responses were
/// lost, is in the ledger and in no report. If there was any, the report's figures must be at most those of the ledger. Otherwise the two
/// must be equal.
/// </summary>
/// <param name="Differences">What differs, in sentences; empty when the two agree.</param>
/// <param name="Compared">What was compared, and how, such as <c>documents, 429s and RU are equal</c>.</param>
internal sealed record LedgerComparison(IReadOnlyList<string> Differences, string Compared)
{
    private const string Nothing = "nothing was compared";

    /// <summary>Most RU that counting a container costs on each of its partitions.</summary>
    private const double MaxPerCountedPartition = 20;

    /// <summary>For people: whether the two agree, and in what.</summary>
    public string Text => Differences.Count == 0 ? $"the account's ledger agrees: {Compared}"
        : Compared == Nothing ? $"not compared with the account's ledger: {Differences[0]}"
        : $"the account's ledger differs: {string.Join("; ", Differences)}";

    /// <summary>Compares a report with the ledger of the run's container.</summary>
    public static LedgerComparison Create(RunReport report, AccountLedger ledger, ContainerTarget target)
    {
        var container = ledger.Containers.LastOrDefault(
            candidate => candidate.Database == target.Database && candidate.Name == target.Name);
        if (container is null)
            return Unreadable($"it knows no container {target.Database}/{target.Name}");

        var workload = report.Spec.Workload;
        var isExact = report.LostLegs == 0 && report.Requests.OtherErrors == 0;
        List<Figure> figures =
        [
            .. workload.HasSeveralKinds ? DocumentsOfSeveralKinds(report, container, isExact)
                : workload.Kind.LeavesCount() ? []
                : Documents(report, container, workload.Kind == WorkloadKind.Delete),
        ];
        var kinds = workload.HasSeveralKinds
            ? ComparedKinds(report.Kinds)
            : [new ComparedKind(
                workload.Kind, "", report.Requests.Throttled, report.RequestUnits.Total + report.RequestUnits.Throttled)];
        foreach (var (kind, name, throttled, requestUnits) in kinds)
        {
            var operations = Operations(kind, container.Operations);
            // Before the run, clients warm up by reads, documents are preloaded by inserts, and the container is counted by queries.
            var (earlyUnits, earlyThrottled) = kind switch
            {
                WorkloadKind.Read or WorkloadKind.Replace => (report.RequestUnits.Opening, report.Requests.OpeningThrottled),
                WorkloadKind.Insert => (report.RequestUnits.Preload, report.Requests.PreloadThrottled),
                _ => (0, 0),
            };
            var uncounted = kind == WorkloadKind.Query ? container.Partitions.Count * MaxPerCountedPartition : 0;
            figures.Add(new Figure($"429s{name}", throttled + earlyThrottled, operations.Sum(counts => counts.Throttled), isExact));
            figures.Add(Figure.OfCharges(
                $"RU{name}", requestUnits + earlyUnits, Counts.Sum(operations).Charged.Value,
                isExact, uncounted));
        }

        return new([.. figures.Select(figure => figure.Difference).OfType<string>()], Describe(figures));
    }

    /// <summary>The documents of a mix or of actions. The ledger counts preloaded documents as creates.</summary>
    private static List<Figure> DocumentsOfSeveralKinds(RunReport report, ContainerLedger container, bool isExact)
    {
        var preloaded = report.Spec.Workload.NeedsDocuments ? report.Spec.PreloadOf() : 0;
        var (written, deleted) = (container.Documents.Created + container.Documents.UpsertedNew, container.Documents.Deleted);
        var isWhole = isExact && report.Documents.Remaining == 0;
        // What was cut may have been written or deleted, so that the difference of the two is on neither side of the report's.
        List<Figure> figures = isWhole || deleted == 0
            ? [new("documents written less deleted", preloaded + (report.Documents.Rise ?? 0), written - deleted, isWhole)]
            :
            [
                new("documents written", preloaded + DoneBy(report, rise: 1), written, IsExact: false),
                new("documents deleted", DoneBy(report, rise: -1), deleted, IsExact: false),
            ];
        if (report.Documents.Verified is { } verified)
            figures.Add(new("documents counted", preloaded + verified, written - deleted, IsExact: container.Documents.Expired == 0));
        return figures;
    }

    /// <summary>Documents of the kinds that raise the count, or that lower it.</summary>
    private static long DoneBy(RunReport report, int rise) =>
        report.Kinds.Where(kind => kind.Kind.Rise() == rise).Sum(kind => kind.Counts.Inserted + kind.Counts.AlreadyPresent);

    /// <summary>
    /// The kinds of a mix or of an action's steps, with the reads beside replaces among the replaces, because the ledger has all reads
    /// together.
    /// </summary>
    private static IEnumerable<ComparedKind> ComparedKinds(IReadOnlyList<KindReport> kinds)
    {
        var hasReplaces = kinds.Any(kind => kind.Kind == WorkloadKind.Replace);
        return kinds.GroupBy(kind => hasReplaces && kind.Kind == WorkloadKind.Read ? WorkloadKind.Replace : kind.Kind)
            .Select(group => new ComparedKind(
                group.Key, $" of {group.Key.ToString().ToLowerInvariant()}", group.Sum(kind => kind.Counts.Throttled),
                Counts.Sum(group.Select(kind => kind.Counts)).Charged.Value));
    }

    public static LedgerComparison Unreadable(string reason) => new([reason], Nothing);

    private static IEnumerable<Figure> Documents(RunReport report, ContainerLedger container, bool isDelete)
    {
        var changed = isDelete ? container.Documents.Deleted : container.Documents.Created + container.Documents.UpsertedNew;
        if (report.Documents.Verified is { } verified)
        {
            // Expired documents are not in the count. For deletes, they are counted as gone.
            var expired = container.Documents.Expired;
            yield return new Figure(isDelete ? "documents counted as gone" : "documents counted", verified, changed, expired == 0)
            {
                Above = isDelete ? expired : 0,
            };
        }

        // Documents that a worker finds already present were created by a lost leg. Documents that a worker finds missing may never have
        // existed.
        yield return isDelete || report.LostLegs == 0
            ? new Figure(isDelete ? "documents deleted" : "documents inserted", report.Documents.Inserted, changed, report.LostLegs == 0)
            : new Figure(
                "documents inserted or found there", report.Documents.Inserted + report.Documents.AlreadyPresent, changed, IsExact: false);
    }

    private static Counts[] Operations(WorkloadKind kind, OperationLedger operations) => kind switch
    {
        WorkloadKind.Read => [operations.Read],
        WorkloadKind.Query => [operations.Query],
        WorkloadKind.Delete => [operations.Delete],
        WorkloadKind.Upsert => [operations.Upsert],
        WorkloadKind.Patch => [operations.Patch],
        WorkloadKind.Replace => [operations.Read, operations.Replace],
        WorkloadKind.Batch => [operations.Batch],
        _ => [operations.Create],
    };

    private static string Describe(List<Figure> figures)
    {
        var equal = figures.Where(figure => figure.IsExact).Select(figure => figure.Name).ToList();
        var bounded = figures
            .Where(figure => !figure.IsExact)
            .Select(figure => $"{figure.Name} ({figure.Text(figure.Reported)} of {figure.Text(figure.Counted)})")
            .ToList();
        if (bounded.Count == 0)
            return $"{string.Join(", ", equal)} are equal";
        var losses = $"legs or responses were lost, so only that the report does not exceed the ledger in {string.Join(", ", bounded)}";
        return equal.Count == 0 ? losses : $"{string.Join(", ", equal)} are equal; {losses}";
    }

    /// <summary>What a report has of the requests of a kind.</summary>
    /// <param name="Name">Follows the names of its figures; empty if the run has no other kind.</param>
    private sealed record ComparedKind(WorkloadKind Kind, string Name, long Responses429, double RequestUnits);

    /// <summary>A figure that the report and the ledger both have.</summary>
    /// <param name="IsExact">Whether the two must be equal. Otherwise the report's must be at most the ledger's.</param>
    private sealed record Figure(string Name, double Reported, double Counted, bool IsExact)
    {
        /// <summary>By how much the report may be above the ledger.</summary>
        public double Above { get; init; }

        /// <summary>By how much the report may be below the ledger if the two must be equal.</summary>
        public double Below { get; init; }

        public string? Difference =>
            Reported - Counted > Above || (IsExact && Counted - Reported > Below)
                ? $"{Text(Reported)} {Name}, {Text(Counted)} in the ledger"
                : null;

        /// <summary>Whether it is a sum of charges, and no count.</summary>
        public bool IsCharge { get; init; }

        public string Text(double value) => IsCharge ? $"{value:#,0.##}" : Numbers.Count((long)value);

        /// <param name="uncounted">RU of the ledger that are in no report.</param>
        public static Figure OfCharges(string name, double reported, double counted, bool isExact, double uncounted)
        {
            var tolerance = AccountLedger.RequestUnitTolerance * counted;
            return new(name, reported, counted, isExact) { IsCharge = true, Above = tolerance, Below = tolerance + uncounted };
        }
    }
}

/// <summary>
/// The ledger of a run's own simulated account: read before the account ends, kept in the run's folder, and compared with the report.
/// </summary>
internal sealed class KeptLedger(RunFolder folder, RunAccount account)
{
    private readonly string _item = $"{folder.RunId}/{Path.GetFileName(folder.LedgerFile)}";
    private string? _error;

    /// <summary>Saves the ledger, unless the account has none or is gone.</summary>
    /// <exception cref="IOException">The ledger could not be written.</exception>
    public async Task SaveAsync()
    {
        if (account.Control is not { } control || account.Gone.IsCompleted)
            return;
        try
        {
            var ledger = await control.ReadLedgerAsync(CancellationToken.None);
            await DurableFile.WriteAsync(
                folder.LedgerFile,
                StoredItem.Write(_item, ledger, ScaleOutJson.Indented),
                CancellationToken.None,
                within: folder.FullPath);
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException)
        {
            _error = $"it could not be read: {OneLine.From(e.Message)}";
        }
    }

    /// <summary>
    /// The delays that the account measured of its own responses in some seconds. Null if it has no ledger or does not respond.
    /// </summary>
    public async Task<DeliveredDelays?> ReadDelaysAsync(NumberSet seconds)
    {
        if (account.Control is not { } control || account.Gone.IsCompleted)
            return null;
        try
        {
            return await control.ReadDelaysAsync(seconds, CancellationToken.None);
        }
        catch (Exception e) when (e is HttpRequestException or OperationCanceledException)
        {
            // If the account does not respond, the delays are unknown.
            return null;
        }
    }

    /// <summary>Why a run's own simulated account left no ledger; null if there is one or nothing is to be kept.</summary>
    public string? WhyMissing => !account.Connection.Simulated || File.Exists(folder.LedgerFile)
        ? null
        : _error ?? $"{_item} is missing, as the account ended before it was kept, or it was deleted";

    /// <summary>Compares the report with the kept ledger; null for an account that has none.</summary>
    public async Task<LedgerComparison?> CompareAsync(RunReport report, ContainerTarget target)
    {
        if ((_error ?? WhyMissing) is { } reason)
            return LedgerComparison.Unreadable(reason);
        if (!account.Connection.Simulated)
            return null;
        try
        {
            var ledger = StoredItem.Read<AccountLedger>(_item, await File.ReadAllBytesAsync(folder.LedgerFile), ScaleOutJson.Indented);
            return LedgerComparison.Create(report, ledger, target);
        }
        catch (EvidenceException e)
        {
            return LedgerComparison.Unreadable(e.Message);
        }
    }
}
