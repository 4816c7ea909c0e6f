namespace ScaleOut.Simulator.Persistence;

/// <summary>
/// One partition's documents in a file, in the order of scanning: number, place in the order and version (8 bytes each), second (4 bytes),
/// length (22 bits), later writes of the transaction (10 bits), and the body, all little-endian. Keys and leaves are read from the body
/// again.
/// </summary>
internal static class DocumentFile
{
    private const int HeadBytes = 32;
    private const int LengthBits = 22;
    private const int BufferBytes = 1024 * 1024;

    public static KeptDocuments Write_NeedsLock(string folder, string name, PhysicalPartition partition)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        using var file = new FileStream(Path.Combine(folder, name), FileMode.CreateNew, FileAccess.Write, FileShare.None, BufferBytes);
        Span<byte> head = stackalloc byte[HeadBytes];
        var cursor = partition.Store.SeekAfter(0);
        while (partition.Store.TryNext(ref cursor, out var address))
        {
            ref var record = ref partition.Store.Record(address);
            var body = partition.Store.Body(address);
            BinaryPrimitives.WriteInt64LittleEndian(head, record.Number);
            BinaryPrimitives.WriteInt64LittleEndian(head[8..], record.Sequence);
            BinaryPrimitives.WriteInt64LittleEndian(head[16..], record.Version);
            BinaryPrimitives.WriteUInt32LittleEndian(head[24..], record.TimestampSeconds);
            BinaryPrimitives.WriteUInt32LittleEndian(
                head[28..], (uint)body.Length | ((uint)record.LaterInTransaction << LengthBits));
            Append(head);
            Append(body);
        }

        file.Flush(flushToDisk: true);
        return new KeptDocuments(
            partition.Ordinal, name, partition.Store.Count, file.Position, Convert.ToHexStringLower(hash.GetHashAndReset()));

        void Append(ReadOnlySpan<byte> bytes)
        {
            hash.AppendData(bytes);
            file.Write(bytes);
        }
    }

    /// <summary>The damage of the file; null if it is undamaged.</summary>
    public static string? FindDamage(string path, KeptDocuments kept)
    {
        try
        {
            using var file = File.OpenRead(path);
            if (file.Length != kept.Bytes)
                return $"{path}: it has {file.Length} bytes instead of the {kept.Bytes} that were written.";
            return Convert.ToHexStringLower(SHA256.HashData(file)) == kept.Sha256
                ? null : $"{path}: its content does not have the checksum that was written with it.";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return $"{path}: it cannot be read: {e.Message}";
        }
    }

    /// <summary>Adds a file's documents to an empty partition.</summary>
    /// <exception cref="InvalidDataException">The file is not the partition's.</exception>
    public static void Read(string path, KeptDocuments kept, ContainerResource container, PhysicalPartition partition)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, BufferBytes);
        var head = new byte[HeadBytes];
        for (var i = 0; i < kept.Count; i++)
        {
            file.ReadExactly(head);
            var end = BinaryPrimitives.ReadUInt32LittleEndian(head.AsSpan(28));
            var body = new byte[end & ((1u << LengthBits) - 1)];
            file.ReadExactly(body);
            DocumentFacts facts = default;
            if (!container.Inspector.TryInspect(body, ref facts, out var error))
                throw new InvalidDataException($"{path}: document {i} of {kept.Count} is not valid: {error}");
            if (container.Map.Find(facts.PartitionKey.Position) != partition)
                throw new InvalidDataException($"{path}: document {i} of {kept.Count} belongs to another partition.");
            var record = new DocumentRecord
            {
                Key = facts.Key,
                Number = BinaryPrimitives.ReadInt64LittleEndian(head),
                Sequence = BinaryPrimitives.ReadInt64LittleEndian(head.AsSpan(8)),
                Version = BinaryPrimitives.ReadInt64LittleEndian(head.AsSpan(16)),
                TimestampSeconds = BinaryPrimitives.ReadUInt32LittleEndian(head.AsSpan(24)),
                LaterInTransaction = (ushort)(end >> LengthBits),
            };
            lock (partition.Gate)
                partition.Store.Adopt(in record, body);
        }
    }
}
