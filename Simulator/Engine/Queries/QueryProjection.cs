namespace ScaleOut.Simulator.Engine.Queries;

/// <summary>What a query gives back.</summary>
internal enum QueryProjection
{
    /// <summary><c>SELECT *</c>, whole documents.</summary>
    Documents,

    /// <summary><c>SELECT VALUE COUNT(1)</c>: one number.</summary>
    Count,

    /// <summary><c>SELECT VALUE [{"item": COUNT(1)}]</c>: the form that the query plan asks each partition for, so that the client can add up.</summary>
    PartialCount,
}
