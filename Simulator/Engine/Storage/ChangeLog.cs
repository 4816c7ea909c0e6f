namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>A change that is not at its place in the arena: the document keeps the place that an earlier write gave it.</summary>
/// <param name="Lsn">The document's <see cref="DocumentRecord.Version"/> after the change.</param>
internal readonly record struct LoggedChange(long Lsn, DocumentKey Key);

/// <summary>
/// The changes that a scan of the arena does not meet in their order, by log sequence number. New documents are not among them, so inserts
/// cost nothing here. Entries that a later write has overtaken are dropped when the log has doubled, so that it holds at most twice as many
/// as there are documents. Not safe for threads.
/// </summary>
internal sealed class ChangeLog
{
    private const int SmallestLimit = 64;

    private readonly List<LoggedChange> _changes = [];
    private bool _isSorted = true;
    private int _limit = SmallestLimit;

    public int Count => _changes.Count;

    public long ReservedBytes => _changes.Capacity * 24L;

    public LoggedChange this[int index] => _changes[index];

    /// <param name="isCurrent">Whether a change is its document's last one.</param>
    public void Add(LoggedChange change, Predicate<LoggedChange> isCurrent)
    {
        if (_changes.Count >= _limit)
        {
            _changes.RemoveAll(one => !isCurrent(one));
            _changes.Capacity = Math.Min(_changes.Capacity, Math.Max(SmallestLimit, _changes.Count * 2));
            _limit = Math.Max(SmallestLimit, _changes.Count * 2);
        }

        _isSorted &= _changes.Count == 0 || change.Lsn >= _changes[^1].Lsn;
        _changes.Add(change);
    }

    /// <summary>The place of the first change behind a log sequence number; <see cref="Count"/> when there is none.</summary>
    public int IndexAfter(long lsn)
    {
        // Only splits and transactions that are taken back add changes out of order.
        if (!_isSorted)
        {
            _changes.Sort(static (one, other) => one.Lsn.CompareTo(other.Lsn));
            _isSorted = true;
        }

        (int low, int high) = (0, _changes.Count);
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (_changes[middle].Lsn <= lsn)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }
}
