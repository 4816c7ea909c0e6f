using Microsoft.DurableTask;

namespace ScaleOut.Orchestrator.Orchestrations;

/// <summary>How often an activity is tried. Every activity finds what an earlier try of it did, so trying again does no harm.</summary>
internal static class RetryPolicies
{
    /// <summary>
    /// A try that fails is a lost leg. A few are tried again here at once, against a passing fault of the instance; then the worker's orchestration goes on with
    /// waits of its own, and gives up when it sees no end.
    /// </summary>
    public static TaskOptions Leg { get; } = new(new RetryPolicy(maxNumberOfAttempts: 2, firstRetryInterval: TimeSpan.FromSeconds(1)));

    /// <summary>Before the first write: the user waits for it, so it gives up within a minute.</summary>
    public static TaskOptions Preparation { get; } = Patient(attempts: 5, longest: TimeSpan.FromSeconds(15));

    /// <summary>After the last write, when all the work would be lost with it: it goes on for about a quarter of an hour.</summary>
    public static TaskOptions Conclusion { get; } = Patient(attempts: 12, longest: TimeSpan.FromMinutes(2));

    private static TaskOptions Patient(int attempts, TimeSpan longest) =>
        new(new RetryPolicy(attempts, firstRetryInterval: TimeSpan.FromSeconds(2), backoffCoefficient: 2, maxRetryInterval: longest));
}
