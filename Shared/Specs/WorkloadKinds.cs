namespace ScaleOut.Specs;

/// <summary>What kinds of workload have in common.</summary>
public static class WorkloadKinds
{
    /// <summary>Whether the workload needs documents that are there before it starts.</summary>
    public static bool NeedsDocuments(this WorkloadKind kind) => kind is WorkloadKind.Read or WorkloadKind.Query or WorkloadKind.Delete;

    /// <summary>Whether the container's count stays as it is.</summary>
    public static bool LeavesCount(this WorkloadKind kind) => kind is WorkloadKind.Read or WorkloadKind.Query;
}
