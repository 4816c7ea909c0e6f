namespace ScaleOut.Orchestration;

/// <summary>How long orchestrators wait between two calls. Each wait is twice as long as the one before, up to 30 s.</summary>
internal static class OrchestrationWaits
{
    /// <summary>Time until a new role assignment takes effect. The Azure documentation says up to ten minutes.</summary>
    public static readonly TimeSpan MaxForRoles = TimeSpan.FromMinutes(10);

    /// <summary>Time for which all requests for admission may fail before the run ends.</summary>
    public static readonly TimeSpan MaxForAdmission = TimeSpan.FromMinutes(30);

    private const double MaxSeconds = 30;

    /// <summary>Time before a lost leg is run again: none after the first loss, then 1 s, 2 s, 4 s and so on.</summary>
    public static TimeSpan AfterLostLeg(int lostInARow) => lostInARow == 1 ? TimeSpan.Zero : After(lostInARow - 2);

    /// <summary>All waits between the losses after which a worker gives up, without the time of the legs themselves.</summary>
    public static TimeSpan AllOfLostLegs { get; } = TimeSpan.FromSeconds(
        Enumerable.Range(1, WorkerOrchestrator.MaxLostInARow - 1).Sum(lost => AfterLostLeg(lost).TotalSeconds));

    /// <summary>
    /// Time before a run asks for admission again, or repeats a step that its identity has no role for yet: 2 s, 4 s and so on.
    /// </summary>
    /// <param name="tried">Number of tries so far.</param>
    public static TimeSpan After(int tried) => TimeSpan.FromSeconds(Math.Min(Math.Pow(2, tried), MaxSeconds));
}
