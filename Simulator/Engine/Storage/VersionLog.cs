namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>A write of a document.</summary>
/// <param name="Record">The document as the write left it, or as it was before a delete.</param>
/// <param name="Lsn">The log sequence number of the write.</param>
/// <param name="TransactionLsn">See <see cref="DocumentRecord.TransactionLsn"/>.</param>
/// <param name="PreviousLsn">That of the document's write before; 0 for none.</param>
/// <param name="Second">When it was written, in seconds since 1970.</param>
/// <param name="IsExpired">Whether the document was deleted because its time to live was over.</param>
internal sealed record DocumentVersion(
    DocumentRecord Record, byte[] Body, long Lsn, long TransactionLsn, long PreviousLsn, long Second, bool IsDeleted, bool IsExpired);

/// <summary>Every write of a partition after a log sequence number, for as long as the service keeps them. Not thread-safe.</summary>
/// <param name="afterLsn">The partition's log sequence number when the log began.</param>
internal sealed class VersionLog(long afterLsn)
{
    private const int MinLimit = 256;

    /// <summary>Bytes of documents from which on the older half of the writes is dropped.</summary>
    private const long MaxBytes = 64 * 1024 * 1024;

    /// <summary>As long as the least retention of continuous backups.</summary>
    private static readonly long SecondsKept = (long)TimeSpan.FromDays(7).TotalSeconds;

    private readonly List<DocumentVersion> _versions = [];
    private int _limit = MinLimit;
    private long _bytes;

    /// <summary>The log has every later write.</summary>
    public long AfterLsn { get; private set; } = afterLsn;

    public IEnumerable<DocumentVersion> All => _versions;

    /// <summary>The writes after a log sequence number. Valid until the next write.</summary>
    public IEnumerable<DocumentVersion> After(long lsn)
    {
        (var low, var high) = (0, _versions.Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            (low, high) = _versions[middle].Lsn <= lsn ? (middle + 1, high) : (low, middle);
        }

        return Enumerable.Range(low, _versions.Count - low).Select(index => _versions[index]);
    }

    /// <param name="previousLsn">0 for a new document.</param>
    public void Write(in DocumentRecord record, ReadOnlySpan<byte> body, long previousLsn) => Add(new DocumentVersion(
        record, body.ToArray(), record.Version, record.Version, previousLsn, record.TimestampSeconds, IsDeleted: false,
        IsExpired: false));

    public void Delete(in DocumentRecord record, ReadOnlySpan<byte> body, long lsn, long second, bool isExpired) =>
        Add(new DocumentVersion(record, body.ToArray(), lsn, lsn, record.TransactionLsn, second, IsDeleted: true, isExpired));

    public void Add(DocumentVersion version)
    {
        // Of so many the older half has no write of a batch that may still be undone.
        if (_versions.Count >= _limit || (_bytes > MaxBytes && _versions.Count >= MinLimit))
        {
            var expired = _versions.FindIndex(one => one.Second + SecondsKept >= version.Second) is >= 0 and var first
                ? first : _versions.Count;
            if (_bytes > MaxBytes)
                expired = Math.Max(expired, _versions.Count / 2);
            if (expired > 0)
                AfterLsn = _versions[expired - 1].Lsn;
            Remove(0, expired);
            _limit = Math.Max(MinLimit, _versions.Count * 2);
        }

        _versions.Add(version);
        _bytes += version.Body.Length;
    }

    /// <summary>Removes the last writes, because they were undone. The first ones of many may be dropped already.</summary>
    public void RemoveLast(int count) => Remove(Math.Max(0, _versions.Count - count), Math.Min(count, _versions.Count));

    /// <summary>Makes the last writes one transaction.</summary>
    public void JoinLast(int count)
    {
        var last = CollectionsMarshal.AsSpan(_versions)[^Math.Min(count, _versions.Count)..];
        var (first, end) = (last[0].Lsn, last[^1].Lsn);
        foreach (ref var version in last)
        {
            var previous = version.PreviousLsn >= first ? end : version.PreviousLsn;
            version = version with { TransactionLsn = end, PreviousLsn = previous };
        }
    }

    private void Remove(int start, int count)
    {
        for (var i = start; i < start + count; i++)
            _bytes -= _versions[i].Body.Length;
        _versions.RemoveRange(start, count);
    }
}
