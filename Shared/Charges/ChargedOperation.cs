namespace ScaleOut.Charges;

/// <summary>An operation that a source states the charge of, in the terms that a charge model knows.</summary>
public abstract record ChargedOperation
{
    /// <summary>What the model charges for it, in RU.</summary>
    public abstract double ChargeBy(ChargeModel model);
}

/// <summary>A read by id and partition key, at session or eventual consistency.</summary>
public sealed record ChargedRead(long Bytes) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) => model.Read(Bytes);
}

/// <summary>A create, with the index entries that it adds.</summary>
public sealed record ChargedCreate(long Bytes, int Terms) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) => model.Create(Bytes, Terms);
}

/// <summary>A replace that leaves the size as it is; each modified term is one index entry removed and one added.</summary>
public sealed record ChargedReplace(long Bytes, int ModifiedTerms) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) => model.Replace(Bytes, Bytes, 2 * ModifiedTerms);
}

/// <summary>A patch that leaves the size as it is.</summary>
public sealed record ChargedPatch(long Bytes, int ModifiedTerms, int Properties) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) => model.Patch(Bytes, Bytes, 2 * ModifiedTerms, Properties);
}

/// <summary>A delete, with the index entries that it removes.</summary>
public sealed record ChargedDelete(long Bytes, int Terms) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) => model.Delete(Bytes, Terms);
}

/// <summary>A page of a read feed or change feed.</summary>
public sealed record ChargedFeed(int Documents, long DocumentBytes) : ChargedOperation
{
    public override double ChargeBy(ChargeModel model) => Documents * model.Read(DocumentBytes);
}

/// <summary>A query with all its pages.</summary>
public sealed record ChargedQuery : ChargedOperation
{
    /// <summary>Pages of all physical partitions together; a partition without a result has one too.</summary>
    public int Pages { get; init; } = 1;

    /// <summary>Conditions and ORDER BY that the index serves.</summary>
    public int Lookups { get; init; } = 1;

    /// <summary>Documents returned.</summary>
    public int Returned { get; init; }

    /// <summary>Documents loaded, but not returned.</summary>
    public int Scanned { get; init; }

    /// <summary>Size of each document.</summary>
    public long DocumentBytes { get; init; }

    public override double ChargeBy(ChargeModel model) => ChargeModel.Round(
        (Pages * model.QueryPage(Lookups))
        + ((Returned + Scanned) * model.QueryLoaded(DocumentBytes))
        + (Returned * model.QueryReturned(DocumentBytes)));
}
