namespace ScaleOut.Analysis.Text;

/// <summary>Says where the physics of a simulated account come from.</summary>
internal static class PhysicsSource
{
    /// <summary>
    /// Such as <c>profile orders-2026-11-22: orders.documents.azure.com (West Europe), measured 2026-11-22, 3 days before</c>; null if
    /// no profile is named.
    /// </summary>
    /// <param name="simulation">The spec's simulation settings. Optional.</param>
    /// <param name="at">When the physics were used, such as a run's start.</param>
    public static string? From(SimulationSpec? simulation, DateTimeOffset at)
    {
        if (simulation?.Profile is not { } profile)
            return null;
        var region = profile.Region is { Length: > 0 } name ? $" ({name})" : "";
        var measured = profile.Instant() is { } instant
            ? $", measured {instant:yyyy-MM-dd}, {Age(at - instant)} before"
            : "";
        return $"profile {profile.Name}: {profile.Account}{region}{measured}";
    }

    private static string Age(TimeSpan age) => age.TotalDays switch
    {
        < 1 => "less than a day",
        < 2 => "1 day",
        _ => $"{Math.Floor(age.TotalDays):#,0} days",
    };
}
