using ScaleOut.Specs;

namespace ScaleOut.Experiments;

/// <summary>What cannot be measured where every worker has a machine of its own.</summary>
public static class InstanceLimits
{
    /// <summary>Why a run cannot be measured there; null when it can. A function of the spec alone.</summary>
    public static string? WhyNotTestable(RunSpec spec)
    {
        ArgumentNullException.ThrowIfNull(spec);
        var bound = Enumerable.Range(0, spec.Workers).Any(worker => spec.SettingsOf(worker).Cores is not null);
        return bound ? "it binds workers to cores, and an instance has the cores that its plan gives it" : null;
    }
}
