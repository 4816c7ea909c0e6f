using ScaleOut.Charges;
using ScaleOut.Simulator.Engine.Queries.Execution;

namespace ScaleOut.Simulator.Engine.Operations;

/// <summary>
/// An amount of request units in whole hundredths, the resolution in which the service states a charge, so that sums are exact.
/// </summary>
public readonly record struct RequestUnits(long Hundredths)
{
    public static readonly RequestUnits Zero;

    public double Value => Hundredths / 100.0;

    /// <summary>Rounds to two decimals, halves away from zero.</summary>
    public static RequestUnits From(double value) => new((long)Math.Round(value * 100, MidpointRounding.AwayFromZero));

    public static RequestUnits operator +(RequestUnits left, RequestUnits right) => new(left.Hundredths + right.Hundredths);
}

/// <summary>What an operation of the simulated account costs: the model of <see cref="RequestCharge"/> in exact amounts.</summary>
public static class RequestCharges
{
    private const double QueryPerKilobyteRead = 0.2;

    /// <summary>
    /// Azure Cosmos DB documentation, "Understand request units consumption", April 2026: patch = replace + 0.4 a property.
    /// </summary>
    private const double PerPatchOperation = 0.4;

    /// <summary>
    /// An operation that looked the id up and stopped there (404, 409, 412, 304): the look-up is all it did, so it costs a smallest read.
    /// </summary>
    public static RequestUnits LookUp { get; } = Read(bodyBytes: 0);

    /// <summary>Reading or listing databases, containers, ranges and offers. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataRead { get; } = RequestUnits.From(2);

    /// <summary>Creating, changing or deleting a database, container or offer. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataWrite { get; } = RequestUnits.From(4.95);

    /// <summary>A create, upsert, replace or delete. A delete costs what writing the document did.</summary>
    /// <param name="bodyBytes">The stored body, without system properties.</param>
    /// <param name="indexedLeaves">Scalar values the index holds; 0 when the container has no consistent index.</param>
    public static RequestUnits Write(int bodyBytes, int indexedLeaves) => RequestUnits.From(RequestCharge.Write(bodyBytes, indexedLeaves));

    /// <summary>A patch: a replace, and something for each of its operations.</summary>
    /// <param name="replace">What replacing the document by its patched form costs.</param>
    /// <param name="operations">1 and more.</param>
    public static RequestUnits Patch(RequestUnits replace, int operations) => replace + RequestUnits.From(PerPatchOperation * operations);

    /// <summary>A read by id and partition key.</summary>
    public static RequestUnits Read(int bodyBytes) => RequestUnits.From(RequestCharge.Read(bodyBytes));

    /// <summary>One page of a query or a read feed from one physical partition.</summary>
    /// <param name="bytesRead">Bodies of the page's documents; a page that finds anything reads 1 KB at least.</param>
    public static RequestUnits QueryPage(long bytesRead) =>
        RequestUnits.From(RequestCharge.Query(partitions: 1, bytesRead == 0 ? 0 : QueryPerKilobyteRead * Math.Max(1, bytesRead / 1024.0)));
}
