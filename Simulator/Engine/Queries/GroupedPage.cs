using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Queries.Syntax;
using ScaleOut.Simulator.Engine.Queries.Values;
using ScaleOut.Simulator.Engine.Storage;

namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>
/// Aggregates of all documents of the partition, or of each group of them, in the order in which the groups' first documents come.
/// </summary>
internal sealed class GroupedPage : QueryPage
{
    private readonly Dictionary<UInt128, Group> _groups = [];
    private readonly bool _hasGroups;
    private readonly bool _isFirst;

    public GroupedPage(ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results)
        : base(query, from, pageSize, reader, results)
    {
        _hasGroups = query.Syntax.GroupBy.Count > 0;
        _isFirst = from == default;
        if (!_hasGroups)
            _groups[0] = new Group(0, [], CreateAccumulators());
    }

    public override bool StartsAtBeginning => true;

    public override bool Visit(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        DocumentMatch match = Reader.Match(in record, body);
        bool isLoaded = !Query.CountsDocuments || Query.Condition.Loaded.Count > 0;
        if (_isFirst && isLoaded && match != DocumentMatch.NotFound)
            LoadedBytes += body.Length;
        if (match != DocumentMatch.Met)
            return true;
        if (Query.CountsDocuments)
        {
            CountDocuments(1);
            return true;
        }

        Reader.Enter(in record, body);
        Group group = FindGroup();
        IReadOnlyList<Aggregate> aggregates = Query.Syntax.Aggregates;
        for (int i = 0; i < aggregates.Count; i++)
            group.Accumulators[i].Add(aggregates[i].Argument.Evaluate(Reader.Scope));
        return true;
    }

    /// <summary>Counts documents that need not be visited.</summary>
    public void CountDocuments(long documents)
    {
        foreach (Accumulator accumulator in _groups[0].Accumulators)
            accumulator.AddCount(documents);
    }

    public override void Complete()
    {
        IsLast = true;
        // The index serves a count; what it reads is less than a kilobyte.
        LoadedBytes = Math.Max(LoadedBytes, 1);
        long passed = From.Passed;
        foreach (Group group in _groups.Values.SkipWhile(group => group.Place < From.Passed))
        {
            if (passed >= Query.End)
                return;
            if (Results.IsFull(PageSize))
            {
                Next = new QueryContinuation(From.Partition, From.AfterSequence, passed);
                return;
            }

            if (passed++ < Query.Skip)
                continue;
            Reader.Scope.Enter(group.FirstDocument);
            Reader.Scope.Aggregates = [.. group.Accumulators.Select(accumulator => accumulator.Result())];
            Datum value = ResultWriter.Project(Query.Syntax.Select, Reader.Scope);
            if (value.IsDefined)
                Results.Write(value);
        }
    }

    private Group FindGroup()
    {
        if (!_hasGroups)
            return _groups[0];
        UInt128 hash = DatumHash.From(Datum.From([.. Query.Syntax.GroupBy.Select(Key)]));
        if (!_groups.TryGetValue(hash, out Group? group))
        {
            // Groups of other pages need no document.
            bool isOfPage = _groups.Count >= From.Passed && _groups.Count - From.Passed <= PageSize + Query.Skip;
            group = new Group(_groups.Count, isOfPage ? Reader.Json.ToArray() : [], CreateAccumulators());
            _groups.Add(hash, group);
        }

        return group;

        // In an object, since an array would leave out what is undefined.
        Datum Key(SourceExpression key)
        {
            Datum value = key.Value.Evaluate(Reader.Scope);
            return Datum.From(value.IsDefined ? [KeyValuePair.Create("item", value)] : Array.Empty<KeyValuePair<string, Datum>>());
        }
    }

    private Accumulator[] CreateAccumulators() => [.. Query.Syntax.Aggregates.Select(aggregate => new Accumulator(aggregate.Kind))];

    /// <param name="Place">Groups whose first document comes before.</param>
    /// <param name="FirstDocument">What is selected beside aggregates is the same for all documents of the group.</param>
    /// <param name="Accumulators">One for each aggregate of the query.</param>
    private sealed record Group(int Place, byte[] FirstDocument, Accumulator[] Accumulators);
}
