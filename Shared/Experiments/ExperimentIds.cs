using ScaleOut.Specs;

namespace ScaleOut.Experiments;

/// <summary>Ids for experiments that were given none.</summary>
public static class ExperimentIds
{
    /// <summary>Such as <c>x-20261121-170412-x7</c>: in order of time, and apart from the ids of runs.</summary>
    public static string New(DateTimeOffset now) => $"x{RunIds.New(now)[1..]}";
}
