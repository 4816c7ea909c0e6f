namespace ScaleOut.Workers.Operations;

/// <summary>
/// Chooses the existing documents that operations address (<see cref="DocumentOrder"/>). The choice is a function of the run and the
/// operation's number. In a mix, only documents that no operation deletes are chosen. Thread-safe.
/// </summary>
internal static class DocumentChoice
{
    /// <summary>Exponent of the law of Zipf, as in the Yahoo! Cloud Serving Benchmark (Cooper et al., 2010).</summary>
    public const double Exponent = 0.99;

    /// <param name="next">Lowest document number of the worker's slice that is not done. The documents below it are written.</param>
    /// <returns>The number of the document that the operation of a number addresses.</returns>
    public static Func<long, long> Create(WorkerAssignment assignment, Func<long> next)
    {
        var (workload, preload) = (assignment.Workload, assignment.Preload);
        if (workload.Choose == DocumentOrder.Even)
            return workload.Mix is null ? number => number % preload : number => number;
        var seed = new DocumentIdentity(assignment.RunId, "choice").Seed;
        long Draw(long number, long count) => ZipfLaw.Draw(new StableRandom(seed, number), count, Exponent);
        if (workload.Mix is not { } mix)
        {
            return workload.Choose == DocumentOrder.Zipf
                ? number => Draw(number, preload)
                : number => preload - 1 - Draw(number, preload);
        }

        var pattern = MixPattern.For(mix);
        return workload.Choose == DocumentOrder.Zipf
            ? ZipfOf(pattern, Math.Max(assignment.Documents, assignment.Slice.End), Draw)
            : LatestOf(pattern, assignment.Slice.First, next, Draw);
    }

    /// <summary>
    /// The documents that were written before the start. With less than one block of the mix, the document of the operation's own number.
    /// </summary>
    private static Func<long, long> ZipfOf(MixPattern pattern, long documents, Func<long, long, long> draw)
    {
        var places = pattern.PlacesOf(WorkloadKinds.AddressesAnyDocument);
        var count = documents / pattern.BlockSize * places.Count;
        return number =>
        {
            if (count == 0)
                return number;
            var (block, place) = Math.DivRem(draw(number, count), places.Count);
            return pattern.NumberAt(block, places[(int)place]);
        };
    }

    /// <summary>
    /// The documents that the worker wrote in the blocks that it has finished, the newest first. Before that, those of the operations' own
    /// numbers.
    /// </summary>
    private static Func<long, long> LatestOf(MixPattern pattern, long first, Func<long> next, Func<long, long, long> draw)
    {
        var places = pattern.PlacesOf(kind => kind is WorkloadKind.Insert or WorkloadKind.Upsert);
        var firstBlock = (first + pattern.BlockSize - 1) / pattern.BlockSize;
        return number =>
        {
            var blocks = (next() / pattern.BlockSize) - firstBlock;
            if (blocks <= 0)
                return number;
            var (back, place) = Math.DivRem(draw(number, blocks * places.Count), places.Count);
            return pattern.NumberAt(firstBlock + blocks - 1 - back, places[(int)place]);
        };
    }
}

/// <summary>
/// Draws by the law of Zipf among any number of values without a table: rejection-inversion (Hörmann and Derflinger,
/// "Rejection-inversion to generate variates from monotone discrete distributions", 1996).
/// </summary>
internal static class ZipfLaw
{
    /// <summary>A rank, counted from 0. The chance of rank n is in proportion to (n + 1)^-exponent.</summary>
    /// <param name="exponent">Above 0, and not 1.</param>
    public static long Draw(StableRandom random, long count, double exponent)
    {
        var (from, to) = (Integral(1.5) - 1, Integral(count + 0.5));
        while (true)
        {
            var at = to + (random.Share() * (from - to));
            var x = Inverse(at);
            var rank = Math.Clamp((long)(x + 0.5), 1, count);
            if (at >= Integral(rank + 0.5) - Math.Pow(rank, -exponent))
                return rank - 1;
        }

        double Integral(double x) => (Math.Pow(x, 1 - exponent) - 1) / (1 - exponent);

        double Inverse(double area) => Math.Pow(1 + (area * (1 - exponent)), 1 / (1 - exponent));
    }
}
