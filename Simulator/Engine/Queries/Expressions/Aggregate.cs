namespace ScaleOut.Simulator.Engine.Queries.Expressions;

internal enum AggregateKind
{
    Count,
    Sum,
    Average,
    Min,
    Max,
}

/// <summary>An aggregate over the documents of a group. Its value is the group's result so far.</summary>
internal sealed class Aggregate(AggregateKind kind, Expression argument, TextPlace place) : Expression(argument)
{
    public AggregateKind Kind => kind;

    public TextPlace Place => place;

    protected override string Label => kind.ToString();

    public Expression Argument => argument;

    public int Slot { get; set; }

    protected override Datum EvaluateCore(QueryScope scope) => scope.Aggregates[Slot];
}

/// <summary>
/// An aggregate in progress. Undefined values do not count; a value of the wrong type makes the result permanently undefined.
/// </summary>
internal sealed class Accumulator(AggregateKind kind)
{
    private long _count;
    private double _sum;
    private bool _isUndefined;
    private Datum _extreme;

    public void Add(Datum value)
    {
        if (!value.IsDefined)
            return;
        _count++;
        if (kind is AggregateKind.Sum or AggregateKind.Average)
        {
            _isUndefined |= value.Type != DatumType.Number;
            _sum += value.Number;
        }
        else if (kind is AggregateKind.Min or AggregateKind.Max)
        {
            _isUndefined |= !value.IsPrimitive;
            var order = _count == 1 || _isUndefined ? 0 : DatumComparison.CompareAll(value, _extreme);
            if (_count == 1 || (kind == AggregateKind.Min ? order < 0 : order > 0))
                _extreme = value.IsPrimitive ? value.Detached() : Datum.Null;
        }
    }

    public void AddCount(long documents) => _count += documents;

    public Datum Result() => kind switch
    {
        AggregateKind.Count => Datum.From(_count),
        _ when _isUndefined => Datum.Undefined,
        AggregateKind.Sum => Datum.From(_sum),
        AggregateKind.Average => _count == 0 ? Datum.Undefined : Datum.From(_sum / _count),
        _ => _extreme,
    };
}
