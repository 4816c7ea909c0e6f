namespace ScaleOut.Simulator.Engine.Queries.Execution;

/// <summary>Results in the order of scanning, with DISTINCT, TOP and OFFSET LIMIT.</summary>
internal sealed class StreamedPage(
    ParsedQuery query, QueryContinuation from, int pageSize, DocumentReader reader, ResultWriter results, PageCharge charge)
    : QueryPage(query, from, pageSize, reader, results, charge)
{
    private readonly HashSet<UInt128>? _distinct = query.Syntax.Select.IsDistinct ? [] : null;

    /// <summary>DISTINCT has to know what was returned before.</summary>
    public override bool StartsAtBeginning => _distinct is not null;

    /// <summary>Results so far, those that were skipped or on pages before too.</summary>
    public long Passed { get; private set; } = from.Passed;

    public override bool Visit(in DocumentRecord record, ReadOnlySpan<byte> body)
    {
        // Also of no results at all: LIMIT 0.
        if (Passed >= Query.End)
            return End();
        DocumentMatch match = Reader.Match(in record, body);
        bool isNew = record.Sequence > From.AfterSequence;
        if (isNew && match != DocumentMatch.NotFound)
            Charge.Load(body.Length, match == DocumentMatch.Met);
        if (match != DocumentMatch.Met)
            return true;

        Datum value = Datum.Undefined;
        if (!Query.ReturnsDocuments || _distinct is not null)
        {
            Reader.Enter(in record, body);
            value = ResultWriter.Project(Query.Syntax.Select, Reader.Scope);
            if (!value.IsDefined || _distinct?.Add(DatumHash.From(value)) == false)
                return true;
        }

        if (!isNew || Passed++ < Query.Skip)
            return true;
        if (Query.ReturnsDocuments)
        {
            DocumentWriter.Write(Results.Begin(), Reader.Container, in record, body);
            Charge.ReturnDocument(body.Length);
        }
        else
        {
            WriteValue(value);
        }

        return Passed >= Query.End ? End() : !Results.IsFull(PageSize);
    }

    /// <summary>Writes the result of a query without FROM.</summary>
    public override void Complete()
    {
        if (Query.Syntax.Source is not null)
            return;
        IsLast = true;
        if (Query is { Skip: 0, End: > 0 } && Query.Condition.Matches([], Reader.Scope)
            && ResultWriter.Project(Query.Syntax.Select, Reader.Scope) is { IsDefined: true } value)
            WriteValue(value);
    }

    private bool End()
    {
        IsLast = true;
        return false;
    }
}
