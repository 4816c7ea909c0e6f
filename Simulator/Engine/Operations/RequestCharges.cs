using ScaleOut.Charges;

namespace ScaleOut.Simulator.Engine.Operations;

/// <summary>What an operation of the simulated account costs: a <see cref="ChargeModel"/> in exact amounts. It allocates nothing.</summary>
internal sealed class RequestCharges
{
    private readonly ChargeModel _model;
    private readonly int _readFactor;

    public RequestCharges(ChargeModel model)
        : this(model, readFactor: 1) => Strong = new RequestCharges(model, ChargeModel.StrongReadFactor);

    private RequestCharges(ChargeModel model, int readFactor)
    {
        (_model, _readFactor, Strong) = (model, readFactor, this);
        LookUp = RequestUnits.From(model.Read(0));
        EmptyRead = LookUp * readFactor;
    }

    /// <summary>The charges of the documentation.</summary>
    public static RequestCharges Documented { get; } = new(ChargeModel.Documented);

    /// <summary>Reading or listing databases, containers, ranges and offers. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataRead { get; } = RequestUnits.From(2);

    /// <summary>Creating, changing or deleting a database, container or offer. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataWrite { get; } = RequestUnits.From(4.95);

    /// <summary>The same charges, with reads that two replicas are asked for.</summary>
    public RequestCharges Strong { get; }

    /// <summary>
    /// A write that looked the id up and stopped there (404, 409, 412): the look-up is all it did, so it costs a smallest read.
    /// </summary>
    public RequestUnits LookUp { get; }

    /// <summary>A read, or a page of a feed, that returns nothing (404, 304).</summary>
    public RequestUnits EmptyRead { get; }

    /// <summary>A create, or an upsert of what was not there.</summary>
    /// <param name="bodyBytes">The stored body, without system properties.</param>
    /// <param name="indexedLeaves">Scalar values the index holds; 0 when the container has no consistent index.</param>
    public RequestUnits Create(int bodyBytes, int indexedLeaves) => RequestUnits.From(_model.Create(bodyBytes, indexedLeaves));

    /// <summary>A delete.</summary>
    /// <param name="bodyBytes">The stored body, without system properties.</param>
    /// <param name="indexedLeaves">Scalar values the index holds; 0 when the container has no consistent index.</param>
    public RequestUnits Delete(int bodyBytes, int indexedLeaves) => RequestUnits.From(_model.Delete(bodyBytes, indexedLeaves));

    /// <summary>A replace, or an upsert of what was there.</summary>
    /// <param name="oldBytes">The body before.</param>
    /// <param name="newBytes">The body after.</param>
    /// <param name="changedEntries">Index entries removed and added, together.</param>
    public RequestUnits Replace(int oldBytes, int newBytes, int changedEntries) =>
        RequestUnits.From(_model.Replace(oldBytes, newBytes, changedEntries));

    /// <summary>A patch: a replace, and something for each of its operations.</summary>
    /// <param name="replace">What replacing the document by its patched form costs.</param>
    /// <param name="operations">1 and more.</param>
    public RequestUnits Patch(RequestUnits replace, int operations) => RequestUnits.From(_model.PatchOver(replace.Value, operations));

    /// <summary>A read by id and partition key.</summary>
    public RequestUnits Read(int bodyBytes) => RequestUnits.From(_model.Read(bodyBytes)) * _readFactor;

    /// <summary>
    /// A page of a feed: the point reads of what it returns, and of one that returns nothing a smallest read.
    /// </summary>
    /// <param name="reads">The point reads of its documents.</param>
    public RequestUnits Feed(RequestUnits reads) => reads == RequestUnits.Zero ? EmptyRead : reads;

    /// <summary>A page of a query from one physical partition.</summary>
    /// <param name="lookups">Conditions and ORDER BY that the index serves.</param>
    /// <param name="documents">What its documents add: sums of <see cref="QueryLoaded"/> and <see cref="QueryReturned"/>.</param>
    public RequestUnits QueryPage(int lookups, double documents) =>
        RequestUnits.From(_model.QueryPage(lookups) + documents) * _readFactor;

    /// <summary>What a query's page adds for a document that it loads, in RU that are not rounded.</summary>
    public double QueryLoaded(int bodyBytes) => _model.QueryLoaded(bodyBytes);

    /// <summary>What a query's page adds for a result of some size, in RU that are not rounded.</summary>
    public double QueryReturned(int resultBytes) => _model.QueryReturned(resultBytes);
}

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

    public static RequestUnits operator *(RequestUnits amount, int factor) => new(amount.Hundredths * factor);
}
