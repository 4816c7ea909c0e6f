namespace ScaleOut.Analysis.Reports;

/// <summary>Loads in which each operation loop sends the next operation when the one before has ended.</summary>
internal static class ClosedLoops
{
    /// <summary>What a reader must know about percentiles of closed loops.</summary>
    public const string Caveat =
        "They are of a closed loop: while an operation waits, the next one is not sent, so a stall shows in those that met it and not in "
            + "those that it delayed (coordinated omission). Percentiles of requests that come at a fixed rate would be higher; a run with "
            + "a rate measures them.";

    public static bool Has(RunSpec spec)
    {
        return Enumerable.Range(0, spec.Workers).Any(worker => Has(spec, worker));
    }

    public static bool Has(RunSpec spec, int worker)
    {
        return spec.Workload.Steps is { } steps ? steps.Any(step => step.Rate is null) : spec.SettingsOf(worker).Rate is null;
    }
}
