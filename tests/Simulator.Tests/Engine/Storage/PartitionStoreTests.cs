using FsCheck;
using FsCheck.Fluent;

namespace ScaleOut.Tests.Simulator.Engine.Storage;

public sealed class PartitionStoreTests
{
    [Fact]
    public void Operations_AnySequence_AgreeWithADictionary() =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(60).WithReplay(7, 11),
            Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), seed =>
            {
                var random = new Random(seed);
                var store = new PartitionStore();
                var model = new Dictionary<DocumentKey, byte[]>();
                for (var i = 0; i < 4_000; i++)
                {
                    // Few distinct hashes cause long runs with removals inside.
                    var key = new DocumentKey((ulong)random.Next(40), (ulong)random.Next(20));
                    var body = new byte[random.Next(2, random.Next(10) == 0 ? 9_000 : 300)];
                    // From the first key that may be too large, the store counts the bytes of each.
                    if (i == 2_000)
                        Assert.False(store.WouldExceed(key.PartitionKeyHash, 1, long.MaxValue / 2) || store.WouldExceed(1_000, 1, 1));
                    random.NextBytes(body);
                    var address = store.Find(key);
                    Assert.Equal(model.ContainsKey(key), address >= 0);
                    if (address >= 0)
                        Assert.Equal(model[key], store.Body(address));
                    if (address < 0)
                        store.Add(new DocumentRecord { Key = key }, model[key] = body);
                    else if (random.Next(2) == 0)
                    {
                        var other = new DocumentKey(key.PartitionKeyHash, (ulong)random.Next(20));
                        var newKey = model.ContainsKey(other) ? key : other;
                        model.Remove(key);
                        Assert.Equal(store.Replace(address, new DocumentRecord { Key = newKey }, model[newKey] = body), store.Find(newKey));
                    }
                    else if (model.Remove(key))
                        store.Remove(address);
                }

                AssertHolds(store, model);
                Assert.Equal(model.Values.Sum(body => body.Length), store.StoredBytes);
                foreach (var ofKey in model.GroupBy(one => one.Key.PartitionKeyHash, one => one.Value))
                {
                    long bytes = ofKey.Sum(body => body.Length);
                    Assert.True(store.WouldExceed(ofKey.Key, 10, bytes + 9));
                    Assert.False(store.WouldExceed(ofKey.Key, 10, bytes + 10) || store.WouldExceed(ofKey.Key, 0, bytes - 1));
                }
            }));

    [Fact]
    public void Replace_ManyTimesWithLargerBodies_DoesNotGrowWithoutBound()
    {
        var store = new PartitionStore();
        var key = new DocumentKey(1, 2);
        var address = store.Add(new DocumentRecord { Key = key, Number = 5 }, new byte[100]);
        for (var i = 0; i < 20_000; i++)
            address = store.Replace(address, new DocumentRecord { Key = key }, new byte[i % 2 == 0 ? 60_000 : 20_000]);
        Assert.Equal(5, store.Record(address).Number);
        Assert.InRange(store.ReservedBytes, 60_000, 30_000_000);
    }

    [Fact]
    public void Scan_FromASequence_ContinuesAfterItDespiteRemovals()
    {
        var store = new PartitionStore();
        for (ulong i = 0; i < 5_000; i++)
            store.Add(new DocumentRecord { Key = new DocumentKey(i, i) }, new byte[500]);
        var first = Scan(store, 0, 2_000, out var after);
        for (ulong i = 0; i < 5_000; i += 2)
            store.Remove(store.Find(new DocumentKey(i, i)));
        var rest = Scan(store, after, int.MaxValue, out _);

        Assert.Equal(Enumerable.Range(0, 2_000).Select(i => (ulong)i), first);
        Assert.Equal(Enumerable.Range(2_000, 3_000).Where(i => i % 2 == 1).Select(i => (ulong)i), rest);
    }

    /// <summary>A replaced document keeps its place, however often and however much it grows.</summary>
    [Fact]
    public void Scan_AfterAnyReplacements_IsInTheOrderOfCreation()
    {
        var random = new Random(3);
        var store = new PartitionStore();
        var order = new List<ulong>();
        for (ulong i = 0; i < 6_000; i++)
        {
            store.Add(new DocumentRecord { Key = new DocumentKey(i, i), Version = (long)i + 1 }, new byte[random.Next(2, 400)]);
            order.Add(i);
            for (var change = random.Next(4); change > 0; change--)
            {
                var at = random.Next(order.Count);
                var key = new DocumentKey(order[at], order[at]);
                if (random.Next(10) == 0)
                {
                    store.Remove(store.Find(key));
                    order.RemoveAt(at);
                    break;
                }

                var bytes = random.Next(40) == 0 ? 30_000 : random.Next(2, 900);
                store.Replace(store.Find(key), new DocumentRecord { Key = key, Version = (long)i + 1 }, new byte[bytes]);
            }
        }

        Assert.Equal(order, Scan(store, 0, int.MaxValue, out _));
        var first = Scan(store, 0, 1_000, out var after);
        Assert.Equal(order, [.. first, .. Scan(store, after, int.MaxValue, out _)]);
    }

    private static List<ulong> Scan(PartitionStore store, long from, int most, out long after)
    {
        var keys = new List<ulong>();
        after = from;
        var cursor = store.SeekAfter(from);
        while (keys.Count < most && store.TryNext(ref cursor, out var address))
        {
            keys.Add(store.Record(address).Key.IdHash);
            after = store.Record(address).Sequence;
        }

        return keys;
    }

    private static void AssertHolds(PartitionStore store, Dictionary<DocumentKey, byte[]> model)
    {
        Assert.Equal(model.Count, store.Count);
        var seen = new HashSet<DocumentKey>();
        var cursor = store.SeekAfter(0);
        while (store.TryNext(ref cursor, out var address))
        {
            var key = store.Record(address).Key;
            Assert.True(seen.Add(key));
            Assert.Equal(model[key], store.Body(address));
            Assert.Equal(address, store.Find(key));
        }

        Assert.Equal(model.Count, seen.Count);
    }
}
