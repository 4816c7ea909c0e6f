namespace ScaleOut.Orchestration;

/// <summary>How long orchestrators wait between two calls. Each wait is twice as long as the one before, up to 30 s.</summary>
internal static class OrchestrationWaits
{
    /// <summary>Lost attempts at one leg after which the worker gives up.</summary>
    public const int MaxLostInARow = 20;

    /// <summary>Time after its assignment in which a role may not hold yet: Azure says up to ten minutes.</summary>
    public static readonly TimeSpan MaxForRoles = TimeSpan.FromMinutes(10);

    /// <summary>Time for which admissions may fail, one after the other, before the run ends.</summary>
    public static readonly TimeSpan MaxForAdmission = TimeSpan.FromMinutes(30);

    private const double MaxSeconds = 30;

    /// <summary>Time before a lost leg is run again: none after the first loss, then 1 s, 2 s, 4 s and so on.</summary>
    public static TimeSpan AfterLostLeg(int lostInARow) => lostInARow == 1 ? TimeSpan.Zero : Doubled(lostInARow - 2);

    /// <summary>Time before a run asks again whether it is admitted: 2 s, 4 s and so on.</summary>
    public static TimeSpan ForAdmission(int asked) => Doubled(asked);

    /// <summary>Time before a run tries again what its identity may not do: 2 s, 4 s and so on.</summary>
    /// <param name="tried">Times that it has tried, 1 and more.</param>
    public static TimeSpan ForRoles(int tried) => Doubled(tried);

    private static TimeSpan Doubled(int times) => TimeSpan.FromSeconds(Math.Min(Math.Pow(2, times), MaxSeconds));
}
