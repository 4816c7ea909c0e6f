namespace ScaleOut.Simulator.Protocol;

/// <summary>Items of a page of a query, a read feed or a change feed.</summary>
internal static class PageSize
{
    /// <summary>For a request that names none.</summary>
    private const int Default = 100;

    private const int Max = 1_000;

    public static int From(AccountRequest request) =>
        request.PageSize switch { 0 => Default, < 0 => Max, _ => Math.Min(request.PageSize, Max) };
}
