namespace ScaleOut.Analysis.Experiments.Planning;

/// <summary>
/// The order of the variants in each round. A run may change the next one, such as by a cache or a heap that it leaves full. So each
/// variant follows each other one, and itself, as equally often as the number of rounds permits: two variants go A-B, B-A, A-B, B-A. What a
/// variant does to the run after it then meets all variants alike.
/// </summary>
internal static class RoundOrder
{
    /// <summary>Number of orders that are compared for each round: all of them for up to four variants, with near certainty.</summary>
    private const int Compared = 150;

    /// <param name="variants">At least 1.</param>
    /// <param name="seed">The same seed gives the same orders on every machine.</param>
    /// <returns>For each round the indices of all variants.</returns>
    public static IReadOnlyList<IReadOnlyList<int>> From(int variants, int rounds, ulong seed)
    {
        var (followed, drawn) = (new int[variants, variants], seed);
        var orders = new List<IReadOnlyList<int>>();
        int? last = null;
        for (var round = 0; round < rounds; round++)
        {
            // The sum of the squares of all counts is least where the counts are alike.
            long Growth(int[] order) => Transitions(last, order).CountBy(pair => pair)
                .Sum(pair => (long)pair.Value * ((2 * followed[pair.Key.From, pair.Key.To]) + pair.Value));
            var order = Enumerable.Range(0, Compared).Select(_ => Draw(variants, ref drawn)).ToList().MinBy(Growth)!;
            foreach (var (from, to) in Transitions(last, order))
                followed[from, to]++;
            orders.Add(order);
            last = order[^1];
        }

        return orders;
    }

    private static IEnumerable<(int From, int To)> Transitions(int? last, int[] order) =>
        order.Skip(1).Zip(order, (to, from) => (from, to)).Concat(last is { } before ? [(before, order[0])] : []);

    private static int[] Draw(int variants, ref ulong drawn)
    {
        var keys = new ulong[variants];
        for (var variant = 0; variant < variants; variant++)
            keys[variant] = SplitMix64.At(drawn += SplitMix64.Gamma);
        var order = Enumerable.Range(0, variants).ToArray();
        Array.Sort(keys, order);
        return order;
    }
}
