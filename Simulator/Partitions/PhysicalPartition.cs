using System.Globalization;
using ScaleOut.Simulator.Books;
using ScaleOut.Simulator.Charges;
using ScaleOut.Simulator.Documents;
using ScaleOut.Simulator.Store;

namespace ScaleOut.Simulator.Partitions;

/// <summary>One physical partition: its documents, its budget and its books, all guarded by <see cref="Gate"/>.</summary>
internal sealed class PhysicalPartition(int ordinal, RequestUnitBudget budget, int secondsKept)
{
    private readonly SecondLedger _seconds = new(secondsKept);

    public Lock Gate { get; } = new();

    public int Ordinal { get; } = ordinal;

    /// <summary>Id of the partition key range.</summary>
    public string Id { get; } = ordinal.ToString(CultureInfo.InvariantCulture);

    public RequestUnitBudget Budget { get; } = budget;

    public PartitionStore Store { get; private set; } = new();

    public OperationLedger Ledger { get; } = new();

    /// <summary>Log sequence number: the number of writes.</summary>
    public long Lsn { get; set; }

    /// <summary>Set when the container is deleted; whoever comes later finds nothing.</summary>
    public bool Closed { get; private set; }

    /// <summary>Documents ever written, from which resource ids are made.</summary>
    public long LastNumber { get; set; }

    /// <summary>Port of the partition's replicas; 0 until a client asks for it.</summary>
    public int DirectPort { get; set; }

    public void BookCharge(DocumentOperationKind kind, RequestUnits charge, long nowTicks)
    {
        Budget.Charge(charge);
        Ledger.Charged(kind, charge);
        _seconds.Add(AccountClock.UnixSecond(nowTicks), charge.Hundredths, 0);
    }

    public void BookThrottled(DocumentOperationKind kind, long nowTicks)
    {
        Ledger.Throttled(kind);
        _seconds.Add(AccountClock.UnixSecond(nowTicks), 0, 1);
    }

    public IReadOnlyList<SecondBooks> ReadSeconds() => _seconds.Read();

    /// <summary>Ends all operations and lets go of the documents; how many there were.</summary>
    public int Close()
    {
        lock (Gate)
        {
            int documents = Store.Count;
            Closed = true;
            Store = new PartitionStore();
            return documents;
        }
    }
}
