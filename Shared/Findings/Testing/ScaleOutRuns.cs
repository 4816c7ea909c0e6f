namespace ScaleOut.Findings.Testing;

/// <summary>What claims about scaling out ask of the machines that the workers ran on.</summary>
internal static class ScaleOutRuns
{
    /// <summary>Why runs that share a machine at its limit say nothing about scaling out; null when none of the variants was bound so.</summary>
    public static string? BoundByMachine(IEnumerable<MeasuredVariant> variants)
    {
        var bound = variants.Where(variant => variant.IsBoundByMachine).Select(variant => variant.Name).ToList();
        return bound.Count == 0 ? null : $"the shared machine bound the runs of {string.Join(", ", bound)}";
    }
}
