namespace ScaleOut.Simulator.Engine.Ledger;

/// <summary>Counts operations by kind, and documents by what happened to them. Not thread-safe.</summary>
internal sealed class OperationCounter
{
    private Kinds _kinds;

    public long Created { get; set; }

    public long UpsertedNew { get; set; }

    public long Replaced { get; set; }

    public long Deleted { get; set; }

    public long Expired { get; set; }

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
        _kinds[(int)kind].ThrottledParts += charge.Parts;
    }

    public void Charge(OperationKind kind, RequestUnits charge) => _kinds[(int)kind].Parts += charge.Parts;

    public void Add(OperationCounter other)
    {
        for (var i = 0; i < Kinds.Length; i++)
        {
            _kinds[i].Attempts += other._kinds[i].Attempts;
            _kinds[i].Throttled += other._kinds[i].Throttled;
            _kinds[i].Parts += other._kinds[i].Parts;
            _kinds[i].ThrottledParts += other._kinds[i].ThrottledParts;
        }

        Created += other.Created;
        UpsertedNew += other.UpsertedNew;
        Replaced += other.Replaced;
        Deleted += other.Deleted;
        Expired += other.Expired;
    }

    public DocumentLedger ReadDocuments() => new()
    {
        Created = Created, UpsertedNew = UpsertedNew, Replaced = Replaced, Deleted = Deleted, Expired = Expired,
    };

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
            Attempts = cell.Attempts, Throttled = cell.Throttled, RequestUnits = new RequestUnits(cell.Parts).Value,
            ThrottledRequestUnits = new RequestUnits(cell.ThrottledParts).Value,
        };
    }

    private struct Cell
    {
        public long Attempts;
        public long Throttled;
        public long Parts;
        public long ThrottledParts;
    }

    [InlineArray(Length)]
    private struct Kinds
    {
        public const int Length = 8;
        private Cell _first;
    }
}

/// <summary>RU and 429s per second of one partition, in a ring that grows to a limit. Not thread-safe.</summary>
internal sealed class SecondCounter(int limit)
{
    private const int MinRing = 16;

    private SecondCounts[] _ring = [];
    private long _first;
    private int _count;

    public void Add(long second, RequestUnits charge, int throttled)
    {
        if (_count == 0)
            _first = second;
        // The clock never steps back, but a caller can be late. If its second is no longer in the ring, the oldest second counts it.
        second = Math.Max(second, _first);
        if (second - _first >= _count)
            Advance(second);
        ref var cell = ref _ring[Index(second)];
        cell.Parts += charge.Parts;
        cell.Throttled += throttled;
    }

    /// <summary>The seconds with any entry, oldest first.</summary>
    public IReadOnlyList<SecondLedger> Read()
    {
        var seconds = new List<SecondLedger>();
        for (var second = _first; second < _first + _count; second++)
        {
            var cell = _ring[Index(second)];
            if (cell.Parts != 0 || cell.Throttled != 0)
                seconds.Add(new SecondLedger(second, new RequestUnits(cell.Parts).Value, cell.Throttled));
        }

        return seconds;
    }

    private void Advance(long second)
    {
        if (second - _first >= _count + limit)
        {
            _first = second;
            _count = 0;
        }

        while (_first + _count <= second)
        {
            if (_count == limit)
            {
                _first++;
                _count--;
            }

            _count++;
            EnsureCapacity();
            _ring[Index(_first + _count - 1)] = default;
        }
    }

    private void EnsureCapacity()
    {
        if (_count <= _ring.Length)
            return;
        var larger = new SecondCounts[Math.Min(limit, Math.Max(MinRing, _ring.Length * 2))];
        for (var second = _first; second < _first + _count - 1; second++)
            larger[(int)(second % larger.Length)] = _ring[Index(second)];
        _ring = larger;
    }

    private int Index(long second) => (int)(second % _ring.Length);

    private struct SecondCounts
    {
        public long Parts;
        public int Throttled;
    }
}
