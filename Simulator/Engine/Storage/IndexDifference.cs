namespace ScaleOut.Simulator.Engine.Storage;

/// <summary>
/// Counts the index entries that a replace changes. An entry is a path with a scalar; elements of an array share one path. Bodies are
/// valid, because they were inspected when they were written.
/// </summary>
internal static class IndexDifference
{
    private const int MaxDepth = 128;
    private const ulong ArrayMark = 0x9E3779B97F4A7C15;

    [ThreadStatic]
    private static Scratch? _scratch;

    /// <summary>Entries removed and added, together; 0 if writes pay for no entries.</summary>
    public static int Count(IndexingPolicy indexing, ReadOnlySpan<byte> before, ReadOnlySpan<byte> after)
    {
        if (!indexing.ChargesLeaves || before.SequenceEqual(after))
            return 0;
        var scratch = _scratch ??= new Scratch();
        var old = scratch.Read(indexing, before, ref scratch.Old);
        var now = scratch.Read(indexing, after, ref scratch.New);
        var same = 0;
        for (int i = 0, j = 0; i < old.Length && j < now.Length;)
        {
            var order = old[i].CompareTo(now[j]);
            same += order == 0 ? 1 : 0;
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }

        return old.Length + now.Length - (2 * same);
    }

    private static ulong Mix(ulong owner, ulong part)
    {
        var mixed = (owner ^ part) * ArrayMark;
        return (mixed ^ (mixed >> 29)) + (owner << 1);
    }

    /// <summary>Buffers that one thread uses again for each replace.</summary>
    private sealed class Scratch
    {
        private readonly ulong[] _containers = new ulong[MaxDepth + 2];
        private readonly bool[] _isArray = new bool[MaxDepth + 2];
        private byte[] _text = new byte[1_024];

        public ulong[] Old = new ulong[64];
        public ulong[] New = new ulong[64];

        /// <summary>Hashes of a body's index entries, in ascending order.</summary>
        public ReadOnlySpan<ulong> Read(IndexingPolicy indexing, ReadOnlySpan<byte> body, ref ulong[] entries)
        {
            var walker = indexing.CreateWalker();
            var reader = new Utf8JsonReader(body, new JsonReaderOptions { MaxDepth = MaxDepth });
            reader.Read();
            (_containers[1], _isArray[1]) = (0, false);
            ulong path = 0;
            var count = 0;
            while (reader.Read() && !(reader.TokenType == JsonTokenType.EndObject && reader.CurrentDepth == 0))
            {
                var depth = reader.CurrentDepth;
                if (reader.TokenType == JsonTokenType.PropertyName)
                {
                    if (depth == 1 && DocumentInspector.IsOutsideIndex(ref reader))
                    {
                        reader.Skip();
                        continue;
                    }

                    path = Mix(_containers[depth], Hash(ref reader));
                    walker?.EnterProperty(ref reader);
                    continue;
                }

                var isLeaf = walker is not null ? walker.Step(ref reader)
                    : reader.TokenType is >= JsonTokenType.String and <= JsonTokenType.Null;
                var at = _isArray[depth] ? Mix(_containers[depth], ArrayMark) : path;
                if (reader.TokenType is JsonTokenType.StartObject or JsonTokenType.StartArray)
                    (_containers[depth + 1], _isArray[depth + 1]) = (at, reader.TokenType == JsonTokenType.StartArray);
                if (!isLeaf)
                    continue;
                if (count == entries.Length)
                    Array.Resize(ref entries, count * 2);
                entries[count++] = Mix(at, Hash(ref reader) + (ulong)reader.TokenType);
            }

            var found = entries.AsSpan(0, count);
            found.Sort();
            return found;
        }

        /// <summary>Hashes a name or scalar; text by its meaning, however it is escaped.</summary>
        private ulong Hash(ref Utf8JsonReader reader)
        {
            if (!reader.ValueIsEscaped)
                return DocumentKey.HashId(reader.ValueSpan);
            if (_text.Length < reader.ValueSpan.Length)
                _text = new byte[reader.ValueSpan.Length];
            try
            {
                return DocumentKey.HashId(_text.AsSpan(0, reader.CopyString(_text)));
            }
            catch (InvalidOperationException)
            {
                // Half of a surrogate pair, which is valid JSON but not UTF-8.
                return DocumentKey.HashId(reader.ValueSpan);
            }
        }
    }
}
