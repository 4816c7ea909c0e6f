namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>Counts operations by kind, and documents by what happened to them. Not thread-safe.</summary>
internal sealed class OperationCounter
{
    private Kinds _kinds;
    private DocumentLedger _documents;

    /// <summary>Documents by what happened to them.</summary>
    public ref DocumentLedger Documents => ref _documents;

    /// <summary>Counts of all kinds together.</summary>
    public Counts Total
    {
        get
        {
            var total = default(Counts);
            for (var kind = 0; kind < Kinds.Length; kind++)
                total += Read((OperationKind)kind);
            return total;
        }
    }

    public void Attempt(OperationKind kind) => _kinds[(int)kind].Attempts++;

    /// <summary>Removes an attempt whose partition was split while it ran, because the client tries again elsewhere.</summary>
    public void Withdraw(OperationKind kind) => _kinds[(int)kind].Attempts--;

    public void Throttle(OperationKind kind, RequestUnits charge)
    {
        _kinds[(int)kind].Throttled++;
        _kinds[(int)kind].ThrottledRequestUnits += charge;
    }

    public void Charge(OperationKind kind, RequestUnits charge) => _kinds[(int)kind].RequestUnits += charge;

    public void Add(OperationCounter other)
    {
        for (var i = 0; i < Kinds.Length; i++)
        {
            _kinds[i].Attempts += other._kinds[i].Attempts;
            _kinds[i].Throttled += other._kinds[i].Throttled;
            _kinds[i].RequestUnits += other._kinds[i].RequestUnits;
            _kinds[i].ThrottledRequestUnits += other._kinds[i].ThrottledRequestUnits;
        }

        _documents += other._documents;
    }

    public OperationLedger ReadOperations() => new()
    {
        Create = Read(OperationKind.Create),
        Upsert = Read(OperationKind.Upsert),
        Replace = Read(OperationKind.Replace),
        Read = Read(OperationKind.Read),
        Delete = Read(OperationKind.Delete),
        Batch = Read(OperationKind.Batch),
        Query = Read(OperationKind.Query),
        Patch = Read(OperationKind.Patch),
    };

    private Counts Read(OperationKind kind)
    {
        var cell = _kinds[(int)kind];
        return new Counts
        {
            Attempts = cell.Attempts, Throttled = cell.Throttled, RequestUnits = cell.RequestUnits,
            ThrottledRequestUnits = cell.ThrottledRequestUnits,
        };
    }

    private struct Cell
    {
        public long Attempts;
        public long Throttled;
        public RequestUnits RequestUnits;
        public RequestUnits ThrottledRequestUnits;
    }

    [InlineArray(Length)]
    private struct Kinds
    {
        public const int Length = 8;
        private Cell _first;
    }
}

/// <summary>RU and 429s per second of one partition, as many seconds back as the limit. Not thread-safe.</summary>
internal sealed class SecondCounter(int limit)
{
    private readonly Queue<SecondCounts> _past = new();
    private SecondCounts _current;

    public void Add(long second, RequestUnits charge, int throttled)
    {
        // The clock never steps back, but a caller can be late: the newest second counts it, as that of the budget pays for it.
        if (second > _current.Second)
        {
            _past.Enqueue(_current);
            while (_past.TryPeek(out var oldest) && oldest.Second <= second - limit)
                _past.Dequeue();
            _current = new SecondCounts { Second = (uint)second };
        }

        _current.Parts += charge.Parts;
        _current.Throttled += throttled;
    }

    /// <summary>The seconds with any entry, oldest first.</summary>
    public IReadOnlyList<SecondLedger> Read() =>
    [
        .. _past.Append(_current).Where(one => one.Parts != 0 || one.Throttled != 0)
            .Select(one => new SecondLedger(one.Second, new RequestUnits(one.Parts).Value, one.Throttled)),
    ];

    private struct SecondCounts
    {
        public uint Second;
        public int Throttled;
        public long Parts;
    }
}
