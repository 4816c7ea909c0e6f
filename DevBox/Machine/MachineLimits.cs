using System.Globalization;
using ScaleOut.Specs;

namespace ScaleOut.DevBox.Machine;

/// <summary>What this machine cannot do.</summary>
internal static class MachineLimits
{
    /// <summary>Why a run says nothing here; null when it can be measured.</summary>
    public static string? WhyNotTestable(RunSpec spec, int cores)
    {
        var needed = Enumerable.Range(0, spec.Workers).Max(worker => spec.SettingsOf(worker).Cores);
        return needed > cores ? string.Create(CultureInfo.InvariantCulture, $"it needs {needed} cores per worker; this machine has {cores}") : null;
    }
}
