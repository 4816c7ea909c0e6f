using System.Text.Json;
using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Simulator.Engine.Resources;

namespace ScaleOut.Simulator.Persistence;

/// <summary>What a data folder holds: everything but the documents, and which files those are in.</summary>
internal sealed record AccountManifest
{
    /// <summary>The folder of the documents' files, in the data folder.</summary>
    public required string Documents { get; init; }

    public required uint LastDatabase { get; init; }

    public required uint LastContainer { get; init; }

    public required IReadOnlyList<KeptDatabase> Databases { get; init; }
}

/// <param name="Number">Number in the account.</param>
/// <param name="Name">Its id.</param>
/// <param name="TimestampSeconds">When it was created.</param>
/// <param name="Offer">What its containers share; null for none.</param>
/// <param name="Revision">Of its offer.</param>
/// <param name="Containers">Its containers.</param>
internal sealed record KeptDatabase(
    uint Number, string Name, long TimestampSeconds, KeptOffer? Offer, int Revision, IReadOnlyList<KeptContainer> Containers);

/// <param name="Throughput">RU/s; with autoscale the most.</param>
/// <param name="Autoscale">Whether it scales.</param>
/// <param name="HighestBefore">The most that there was before it.</param>
/// <param name="Buckets">The container's throughput buckets; null for none.</param>
internal sealed record KeptOffer(
    int Throughput, bool Autoscale, int HighestBefore = 0, IReadOnlyList<ThroughputBucket>? Buckets = null)
{
    public static KeptOffer? From(Offer? offer) =>
        offer is null ? null : new KeptOffer(offer.Throughput, offer.Autoscale, offer.HighestBefore, offer.Buckets);

    public Offer ToOffer() =>
        new() { Throughput = Throughput, Autoscale = Autoscale, HighestBefore = HighestBefore, Buckets = Buckets };
}

/// <param name="Number">Number in the account.</param>
/// <param name="Definition">As the account's own response to a read has it.</param>
/// <param name="Offer">Its own throughput; null where it shares its database's.</param>
/// <param name="State">The rest.</param>
/// <param name="Files">The documents of the partitions that hold any.</param>
internal sealed record KeptContainer(
    uint Number, JsonElement Definition, KeptOffer? Offer, ContainerState State, IReadOnlyList<KeptDocuments> Files);

/// <summary>The file of one partition's documents.</summary>
/// <param name="Partition">Ordinal.</param>
/// <param name="File">Its name.</param>
/// <param name="Count">Documents in it.</param>
/// <param name="Bytes">Its length.</param>
/// <param name="Sha256">Of all its bytes, in hexadecimal.</param>
internal sealed record KeptDocuments(int Partition, string File, int Count, long Bytes, string Sha256);
