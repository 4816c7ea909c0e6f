using ScaleOut.Workers.Accounts;

namespace ScaleOut.Tests.DevBox;

/// <summary>Waits for what another process does.</summary>
internal static class Until
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>Waits until the condition holds.</summary>
    /// <exception cref="TimeoutException">It did not come to hold.</exception>
    public static async Task HoldsAsync(Func<bool> condition, string what, TimeSpan? patience = null)
    {
        var deadline = DateTimeOffset.UtcNow + (patience ?? Patience);
        while (!condition())
        {
            if (DateTimeOffset.UtcNow > deadline)
                throw new TimeoutException($"Waited in vain: {what}.");
            await Task.Delay(20, TestContext.Current.CancellationToken);
        }
    }
}
