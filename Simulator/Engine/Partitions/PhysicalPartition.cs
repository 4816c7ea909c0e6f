namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>Whether a physical partition takes operations.</summary>
internal enum PartitionStatus
{
    Online,

    /// <summary>Its documents are moving to new partitions, by a split or a merge; operations get 410/1007.</summary>
    CompletingSplit,

    /// <summary>Its documents are in other partitions; operations get 410/1002.</summary>
    Split,

    /// <summary>Its container is deleted; operations get 404/1003.</summary>
    Deleted,
}

/// <summary>One physical partition: documents, budget and ledger, guarded by <see cref="Gate"/>.</summary>
internal sealed class PhysicalPartition(int ordinal, PartitionRange range, RequestUnitBudget budget, int secondsKept)
{
    /// <summary>
    /// Number of low bits of a document's number, which hold a counter of the partition that created the document. The high bits hold that
    /// partition's ordinal.
    /// </summary>
    private const int NumberBits = 44;

    private static readonly IReadOnlyDictionary<string, long> NoShifts = new Dictionary<string, long>();

    private readonly SecondCounter _seconds = new(secondsKept);
    private readonly BucketBudgets _buckets = new(budget);
    private long _lastNumber;

    public Lock Gate { get; } = new();

    /// <summary>Size of the documents in bytes, as the account counts it.</summary>
    public long StoredBytes
    {
        get
        {
            lock (Gate)
                return Store.StoredBytes;
        }
    }

    public int Ordinal { get; } = ordinal;

    /// <summary>Id of the partition key range.</summary>
    public string Id { get; } = ordinal.ToString(CultureInfo.InvariantCulture);

    public PartitionRange Range => range;

    public RequestUnitBudget Budget { get; } = budget;

    public PartitionStore Store { get; private set; } = new();

    /// <summary>Null until the change feed of all versions is asked for: until then, writes cost no memory.</summary>
    public VersionLog? Versions { get; private set; }

    public OperationCounter Counter { get; } = new();

    /// <summary>
    /// The log sequence number, which every write increments. It starts at 1, because Direct clients treat 0 as missing and retry for
    /// seconds.
    /// </summary>
    public long Lsn { get; set; } = 1;

    public PartitionStatus Status { get; private set; }

    public bool IsSplitting => Status is PartitionStatus.CompletingSplit or PartitionStatus.Split;

    /// <summary>Ids of the partitions that held its documents before, the first one first.</summary>
    public IReadOnlyList<string> Parents { get; private init; } = [];

    /// <summary>
    /// Offset that was added to the sequence numbers of a former partition's documents, by that partition's id. A merge appends the upper
    /// range to the lower one. Negative if the order is lost, because parts of a partition were merged again.
    /// </summary>
    public IReadOnlyDictionary<string, long> Shifts { get; private init; } = NoShifts;

    /// <summary>The <see cref="PartitionMap.Revision"/> that added this partition.</summary>
    public int Revision { get; private init; }

    /// <summary>A number for a new document that is unique in the container, through splits and merges.</summary>
    public long NextNumber_NeedsLock() => ((long)Ordinal << NumberBits) | ++_lastNumber;

    /// <summary>Removes expired documents, without a charge.</summary>
    public void RemoveExpired_NeedsLock(long nowTicks)
    {
        // Documents that are being copied expire in the copy.
        if (IsSplitting || Store.Rules is not { } rules)
            return;
        while (rules.TryTakeExpired(AccountClock.UnixSecond(nowTicks), out var address))
        {
            Remove_NeedsLock(address, nowTicks, isExpired: true);
            Counter.Documents.Expired++;
        }
    }

    /// <summary>Removes a document, which is a write.</summary>
    public void Remove_NeedsLock(long address, long nowTicks, bool isExpired = false)
    {
        Lsn++;
        Versions?.Delete(in Store.Record(address), Store.Body(address), Lsn, AccountClock.UnixSecond(nowTicks), isExpired);
        Store.Remove(address);
    }

    /// <summary>The log of all writes, which begins now if there was none.</summary>
    public VersionLog KeepVersions_NeedsLock() => Versions ??= new VersionLog(Lsn);

    /// <summary>Whether the partition's and the throughput bucket's budgets admit an operation; if not, its result.</summary>
    public bool TryAdmit_NeedsLock(BudgetClaim claim, long nowTicks, out OperationResult rejection)
    {
        var bucket = _buckets[claim.Bucket];
        rejection = default;
        var retryAfterMs = 0;
        if (bucket?.TryAdmit(nowTicks, out retryAfterMs) == false)
            rejection = OperationResult.Throttled(retryAfterMs, ServiceStatus.BucketExhausted);
        else if (!Budget.TryAdmit(nowTicks, out retryAfterMs, claim.IsLowPriority, mayBurst: bucket is null))
            rejection = OperationResult.Throttled(retryAfterMs, ServiceStatus.RequestUnitsExhausted);
        rejection.Lsn = Lsn;
        return !rejection.IsThrottled;
    }

    /// <summary>Sets the shares of the partition and of the container's throughput buckets.</summary>
    public void Share(double unitsPerSecond, IReadOnlyList<ThroughputBucket> buckets, long nowTicks)
    {
        lock (Gate)
        {
            Budget.Rescale(unitsPerSecond);
            _buckets.Share(buckets, nowTicks);
        }
    }

    public void RecordCharge_NeedsLock(OperationKind kind, RequestUnits charge, long nowTicks, BudgetClaim claim)
    {
        var bucket = _buckets[claim.Bucket];
        bucket?.Charge(charge);
        Budget.Charge(charge, claim.IsLowPriority, mayBurst: bucket is null);
        Counter.Charge(kind, charge);
        _seconds.Add(AccountClock.UnixSecond(nowTicks), charge, 0);
    }

    /// <summary>Records a 429. Its charge is in the ledger, but not taken from the budget.</summary>
    public void RecordThrottled_NeedsLock(OperationKind kind, RequestUnits charge, long nowTicks)
    {
        Counter.Throttle(kind, charge);
        _seconds.Add(AccountClock.UnixSecond(nowTicks), RequestUnits.Zero, 1);
    }

    /// <summary>Reads the ledger, and adds the partition's counts to <paramref name="total"/>.</summary>
    public PartitionLedger ReadLedger(OperationCounter total)
    {
        lock (Gate)
        {
            total.Add(Counter);
            return new PartitionLedger
            {
                Id = Id,
                MinInclusive = range.MinInclusive,
                MaxExclusive = range.MaxExclusive,
                Parents = Parents,
                WasSplit = Status == PartitionStatus.Split,
                BudgetPerSecond = Budget.UnitsPerSecond,
                Documents = Store.Count,
                Counts = Counter.Total,
                Seconds = _seconds.Read(),
            };
        }
    }

    /// <summary>Restores a partition of an earlier process, without its documents.</summary>
    public static PhysicalPartition Restore(PartitionState state, PartitionRange range, RequestUnitBudget budget, int secondsKept) =>
        new(state.Ordinal, range, budget, secondsKept)
        {
            Lsn = state.Lsn,
            _lastNumber = state.LastNumber,
            Parents = state.Parents,
            Shifts = state.Shifts ?? NoShifts,
            Revision = state.Revision,
            Status = state.WasSplit ? PartitionStatus.Split : PartitionStatus.Online,
        };

    /// <summary>The state that <see cref="Restore"/> needs.</summary>
    public PartitionState ReadState_NeedsLock() => new(
        Ordinal, range.MinInclusive, range.MaxExclusive, Lsn, _lastNumber, Parents, Shifts.Count == 0 ? null : Shifts, Revision,
        WasSplit: Status == PartitionStatus.Split);

    /// <summary>Rejects operations from now on. False if the partition rejected them already.</summary>
    public bool BeginSplit()
    {
        lock (Gate)
        {
            if (Status != PartitionStatus.Online)
                return false;
            Status = PartitionStatus.CompletingSplit;
            return true;
        }
    }

    /// <summary>
    /// Copies the documents to two new partitions, after <see cref="BeginSplit"/>. Documents keep ids, ETags and order; this partition
    /// keeps its counts.
    /// </summary>
    /// <param name="nextOrdinal">The ordinal of the lower one.</param>
    public (PhysicalPartition Low, PhysicalPartition High) CopyHalves(
        (PartitionRange Low, PartitionRange High) halves, DocumentInspector inspector, int nextOrdinal, int revision,
        Func<PartitionStore, PartitionRules?> createRules)
    {
        var low = Child(halves.Low, nextOrdinal);
        var high = Child(halves.High, nextOrdinal + 1);
        low.Store.Follow(createRules(low.Store));
        high.Store.Follow(createRules(high.Store));
        var cursor = Store.SeekAfter(0);
        while (Store.TryNext(ref cursor, out var address))
        {
            var body = Store.Body(address);
            Half(body).Store.Adopt(in Store.Record(address), body);
        }

        foreach (var version in Versions?.All ?? [])
            Half(version.Body).Versions!.Add(version);
        return (low, high);

        PhysicalPartition Half(ReadOnlySpan<byte> body)
        {
            DocumentFacts facts = default;
            inspector.TryInspect(body.ToArray(), ref facts, out _);
            return facts.PartitionKey.Position.Position < halves.High.Start.Position ? low : high;
        }

        PhysicalPartition Child(PartitionRange half, int number) => new(number, half, Budget.Halve(), secondsKept)
        {
            // Sessions that have seen the parent's writes have seen the children's.
            Lsn = Lsn,
            Versions = Versions is null ? null : new VersionLog(Versions.AfterLsn),
            Parents = [.. Parents, Id],
            Shifts = Shifts,
            Revision = revision,
        };
    }

    /// <summary>
    /// Copies the documents of this partition and of the upper one to a new one, after <see cref="BeginSplit"/> of both. Documents keep
    /// ids, ETags and their order within each; both partitions keep their counts.
    /// </summary>
    public PhysicalPartition CopyTogether(
        PhysicalPartition upper, int ordinal, int revision, Func<PartitionStore, PartitionRules?> createRules, long nowTicks)
    {
        // A query that began on a part of this partition may be positioned after the last document.
        var shift = Math.Max(Lsn, Store.LastSequence);
        var whole = new PhysicalPartition(
            ordinal, Range with { End = upper.Range.End, MaxExclusive = upper.Range.MaxExclusive }, Budget.Join(upper.Budget, nowTicks),
            secondsKept)
        {
            Parents = [.. Parents.Append(Id).Concat(upper.Parents).Append(upper.Id).Distinct()],
            Shifts = ShiftsIn(upper, shift),
            Revision = revision,
        };
        whole.Store.Follow(createRules(whole.Store));
        whole.Adopt(this, 0);
        whole.Adopt(upper, shift);
        // Sessions that have seen the writes of either have seen those of the whole, and later writes come last.
        whole.Lsn = Math.Max(Math.Max(Lsn, upper.Lsn), whole.Store.LastSequence);
        return whole;
    }

    private Dictionary<string, long> ShiftsIn(PhysicalPartition upper, long shift)
    {
        var shifts = new Dictionary<string, long>(Shifts);
        foreach (var id in upper.Parents.Append(upper.Id))
        {
            var before = upper.Shifts.GetValueOrDefault(id);
            shifts[id] = before < 0 || Parents.Contains(id) ? -1 : before + shift;
        }

        return shifts;
    }

    private void Adopt(PhysicalPartition other, long shift)
    {
        var cursor = other.Store.SeekAfter(0);
        while (other.Store.TryNext(ref cursor, out var address))
        {
            var record = other.Store.Record(address);
            record.Sequence += shift;
            Store.Adopt(in record, other.Store.Body(address));
        }
    }

    /// <summary>Rejects all further operations and removes the documents. Returns the number of removed documents.</summary>
    public int Close(PartitionStatus status)
    {
        lock (Gate)
        {
            var documents = Store.Count;
            Status = status;
            Store = new PartitionStore();
            Versions = null;
            return documents;
        }
    }
}

/// <summary>The persisted state of a physical partition, without its documents. Counts are not persisted.</summary>
/// <param name="LastNumber">The last number that the partition gave to a document.</param>
/// <param name="Shifts">Null for none.</param>
internal sealed record PartitionState(
    int Ordinal, string MinInclusive, string MaxExclusive, long Lsn, long LastNumber, IReadOnlyList<string> Parents,
    IReadOnlyDictionary<string, long>? Shifts, int Revision, bool WasSplit);
