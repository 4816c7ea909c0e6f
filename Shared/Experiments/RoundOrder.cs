using System.Buffers.Binary;

namespace ScaleOut.Experiments;

/// <summary>
/// The order of the variants in each round of an experiment: by a hash of the experiment's seed and id, the round and the variant. It is
/// the same on every machine and for whoever goes on with the experiment.
/// </summary>
internal static class RoundOrder
{
    /// <summary>Indices of the variants in the order in which they are run.</summary>
    /// <param name="spec">A valid spec with its id.</param>
    /// <param name="repeat">The round, from 1.</param>
    public static IEnumerable<int> From(ExperimentSpec spec, int repeat)
    {
        var variants = Enumerable.Range(0, spec.Variants.Count);
        return spec.Seed is { } seed ? variants.OrderBy(variant => Place(seed, spec.Id, repeat, variant)) : variants;
    }

    private static ulong Place(int seed, string? id, int repeat, int variant) => BinaryPrimitives.ReadUInt64LittleEndian(
        SHA256.HashData(Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{seed}/{id}/{repeat}/{variant}"))));
}
