using System.Globalization;
using ScaleOut.PartitionKeys;
using ScaleOut.Simulator.Engine.Ledger;
using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Partitions;

/// <summary>One physical partition: its documents, its budget and its ledger, all guarded by <see cref="Gate"/>.</summary>
internal sealed class PhysicalPartition(int ordinal, PartitionRange range, RequestUnitBudget budget, int secondsKept)
{
    private readonly SecondCounter _seconds = new(secondsKept);

    public Lock Gate { get; } = new();

    public int Ordinal { get; } = ordinal;

    /// <summary>Id of the partition key range.</summary>
    public string Id { get; } = ordinal.ToString(CultureInfo.InvariantCulture);

    public RequestUnitBudget Budget { get; } = budget;

    public PartitionStore Store { get; private set; } = new();

    public OperationCounter Counter { get; } = new();

    /// <summary>Log sequence number, one more with every write. It begins at 1: to Direct clients 0 is no position, and they would ask again for seconds.</summary>
    public long Lsn { get; set; } = 1;

    public PartitionStatus Status { get; private set; }

    /// <summary>Documents ever added, from which resource ids are made.</summary>
    public long LastNumber { get; private set; }

    public EffectivePartitionKey Start => range.Start;

    public EffectivePartitionKey End => range.End;

    /// <summary>First effective partition key, as the service writes it.</summary>
    public string MinInclusive => range.MinInclusive;

    /// <summary>First effective partition key behind, as the service writes it.</summary>
    public string MaxExclusive => range.MaxExclusive;

    public PartitionRange Range => range;

    /// <summary>Ids of the partitions that its documents were in before, the first one first.</summary>
    public IReadOnlyList<string> Parents { get; init; } = [];

    /// <summary>The container's <see cref="PartitionMap.Revision"/> that brought it.</summary>
    public int Revision { get; init; }

    /// <summary>Port of the partition's replicas; 0 until a client asks for it.</summary>
    public int DirectPort { get; set; }

    /// <summary>A number for a new document that no other document of the container has, in whatever partition either is later.</summary>
    public long NextNumber() => ((long)Ordinal << RidEncoding.NumberBits) | ++LastNumber;

    public void RecordCharge(OperationKind kind, RequestUnits charge, long nowTicks)
    {
        Budget.Charge(charge);
        Counter.Charged(kind, charge);
        _seconds.Add(AccountClock.UnixSecond(nowTicks), charge.Hundredths, 0);
    }

    public void RecordThrottled(OperationKind kind, long nowTicks)
    {
        Counter.Throttled(kind);
        _seconds.Add(AccountClock.UnixSecond(nowTicks), 0, 1);
    }

    public IReadOnlyList<SecondLedger> ReadSeconds() => _seconds.Read();

    /// <summary>Turns operations away from now on; false when that is so already.</summary>
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

    /// <summary>Ends all operations and lets go of the documents; how many there were.</summary>
    public int Close(PartitionStatus status)
    {
        lock (Gate)
        {
            int documents = Store.Count;
            Status = status;
            Store = new PartitionStore();
            return documents;
        }
    }
}
