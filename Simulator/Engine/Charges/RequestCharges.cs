using ScaleOut.Charges;

namespace ScaleOut.Simulator.Engine.Charges;

/// <summary>Applies a <see cref="ChargeModel"/> to the account's operations, in exact amounts. It allocates nothing.</summary>
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

    public static RequestCharges Default { get; } = new(ChargeModel.Default);

    /// <summary>Charge of reading or listing metadata. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataRead { get; } = RequestUnits.From(2);

    /// <summary>Charge of changing metadata. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataWrite { get; } = RequestUnits.From(4.95);

    /// <summary>Charge of a 429. No partition's budget pays for it.</summary>
    public static RequestUnits Throttled { get; } = RequestUnits.From(ChargeModel.Throttled);

    /// <summary>The same charges for reads of two replicas, see <see cref="ConsistencyLevels.ChargesOf"/>.</summary>
    public RequestCharges Strong { get; }

    /// <summary>A write that ended after looking up the id (404, 409, 412). It costs a smallest read.</summary>
    public RequestUnits LookUp { get; }

    /// <summary>A read or feed page that returns nothing (404, 304).</summary>
    public RequestUnits EmptyRead { get; }

    /// <summary>A create, or an upsert of a new document.</summary>
    /// <param name="bodyBytes">The stored body, without system properties.</param>
    /// <param name="indexedLeaves">Scalar values in the index; 0 without a consistent index.</param>
    public RequestUnits Create(int bodyBytes, int indexedLeaves) => RequestUnits.From(_model.Create(bodyBytes, indexedLeaves));

    public RequestUnits Delete(int bodyBytes, int indexedLeaves) => RequestUnits.From(_model.Delete(bodyBytes, indexedLeaves));

    /// <summary>A replace, or an upsert of an existing document.</summary>
    /// <param name="changedEntries">Index entries removed and added, together.</param>
    /// <param name="isIndexed">Whether the document has any index entries.</param>
    public RequestUnits Replace(int oldBytes, int newBytes, int changedEntries, bool isIndexed) =>
        RequestUnits.From(_model.Replace(oldBytes, newBytes, changedEntries, isIndexed));

    /// <summary>A patch: a replace, plus a charge for each of its operations.</summary>
    public RequestUnits Patch(RequestUnits replace, int operations) => RequestUnits.From(_model.Patch(replace.Value, operations));

    public RequestUnits Read(int bodyBytes) => RequestUnits.From(_model.Read(bodyBytes)) * _readFactor;

    /// <summary>A feed page: the point reads of its documents, or a smallest read.</summary>
    public RequestUnits Feed(RequestUnits reads) => reads == RequestUnits.Zero ? EmptyRead : reads;

    /// <summary>A query page from one physical partition.</summary>
    /// <param name="lookups">Conditions and ORDER BY items that the index serves.</param>
    /// <param name="documents">What its documents add: sums of <see cref="QueryLoaded"/> and <see cref="QueryReturned"/>.</param>
    public RequestUnits QueryPage(int lookups, double documents) => RequestUnits.From(_model.QueryPage(lookups) + documents) * _readFactor;

    /// <summary>What a loaded document adds to a query page, in RU, not rounded.</summary>
    public double QueryLoaded(int bodyBytes) => _model.QueryLoaded(bodyBytes);

    /// <summary>What a result adds to a query page, in RU, not rounded.</summary>
    public double QueryReturned(int resultBytes) => _model.QueryReturned(resultBytes);
}

/// <summary>Request units in whole hundredths, the service's resolution, so that sums are exact.</summary>
public readonly record struct RequestUnits(long Hundredths)
{
    public static readonly RequestUnits Zero;

    public double Value => Hundredths / 100.0;

    /// <summary>Rounds to two decimals, midpoints away from zero.</summary>
    public static RequestUnits From(double value) => new((long)Math.Round(value * 100, MidpointRounding.AwayFromZero));

    public static RequestUnits operator +(RequestUnits left, RequestUnits right) => new(left.Hundredths + right.Hundredths);

    public static RequestUnits operator *(RequestUnits amount, int factor) => new(amount.Hundredths * factor);
}
