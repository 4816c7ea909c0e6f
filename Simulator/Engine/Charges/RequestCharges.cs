namespace ScaleOut.Simulator.Engine.Charges;

/// <summary>The charges of the account's requests: those of a model, and those that no model decides. It allocates nothing.</summary>
internal sealed class RequestCharges
{
    private readonly int _readFactor;

    public RequestCharges(ChargeModel model)
        : this(model, readFactor: 1) => Strong = new RequestCharges(model, ChargeModel.StrongReadFactor);

    private RequestCharges(ChargeModel model, int readFactor) => (Model, _readFactor, Strong) = (model, readFactor, this);

    public static RequestCharges Default { get; } = new(ChargeModel.Default);

    /// <summary>Charge of reading or listing metadata. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataRead { get; } = RequestUnits.From(2);

    /// <summary>Charge of creating a database or container. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataCreate { get; } = RequestUnits.From(1);

    /// <summary>Charge of replacing or deleting metadata. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataWrite { get; } = RequestUnits.From(4.95);

    /// <summary>Charge of a refused change of metadata; a refused container costs nothing. No partition's budget pays for it.</summary>
    public static RequestUnits MetadataRefused { get; } = RequestUnits.From(1.24);

    /// <summary>Charge of a run of a stored procedure, besides its operations: one recorded point.</summary>
    public static RequestUnits Procedure { get; } = RequestUnits.From(4.27);

    /// <summary>RU that a query's page costs more if it calls user-defined functions: one recorded point.</summary>
    public const double UserFunctions = 0.31;

    /// <summary>Charge of a 429. No partition's budget pays for it.</summary>
    public static RequestUnits Throttled { get; } = RequestUnits.From(ChargeModel.Throttled);

    /// <summary>What writes cost, at any consistency.</summary>
    public ChargeModel Model { get; }

    /// <summary>The same charges for reads of two replicas, see <see cref="ConsistencyLevels.ChargesOf"/>.</summary>
    public RequestCharges Strong { get; }

    /// <inheritdoc cref="ChargeModel.EmptyRead"/>
    public RequestUnits EmptyRead => Model.EmptyRead * _readFactor;

    /// <inheritdoc cref="ChargeModel.Read"/>
    public RequestUnits Read(int bytes) => Model.Read(bytes) * _readFactor;

    /// <summary>A feed page: the point reads of its documents, or an empty read.</summary>
    public RequestUnits Feed(RequestUnits reads) => reads == RequestUnits.Zero ? EmptyRead : reads;

    /// <summary>A query page from one physical partition.</summary>
    /// <param name="lookups">See <see cref="QueryCharges.OfPage"/>.</param>
    /// <param name="documents">RU that its documents add, by <see cref="QueryCharges"/>.</param>
    public RequestUnits QueryPage(int lookups, double documents) =>
        RequestUnits.From(Model.Query.OfPage(lookups) + documents) * _readFactor;
}
