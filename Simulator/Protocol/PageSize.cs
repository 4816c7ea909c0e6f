namespace ScaleOut.Simulator.Protocol;

/// <summary>Largest number of items on a page of a query, a read feed or a change feed. A page ends at 4 MB, too.</summary>
internal static class PageSize
{
    /// <summary>For a request that names none, or 0, as a hosted account had it in 2026.</summary>
    private const int Default = 1_000;

    /// <summary>Bounds the memory of an ordered page. 4 MB hold fewer documents.</summary>
    private const int Max = 50_000;

    public static int From(AccountRequest request) => request.PageSize switch
    {
        0 => Default,
        < 0 => Max,
        _ => Math.Min(request.PageSize, Max),
    };
}
